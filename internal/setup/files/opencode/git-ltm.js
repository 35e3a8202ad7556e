// git ltm in OpenCode: a session starts with what the last one left, a known dead end is told where it is met, and the end of
// a turn leaves a draft. It asks the program git-ltm, waits a bounded time, and throws only to hold back a call that is known to
// fail, once: OpenCode goes on without it.
import { spawn } from "node:child_process"

const program = "git-ltm"

// The longest waits, in milliseconds. The program ends earlier by itself.
const patience = { "session-start": 10000, stop: 10000 }
const otherwise = 5000

// The tools that run commands or change files.
const acting = new Set(["bash", "edit", "multiedit", "write", "patch", "apply_patch"])

// What a hook reads at most.
const mostOfExport = 12 << 20

// ask runs one hook and resolves with what it says, or with nothing.
function ask(event, moment) {
  return new Promise((resolve) => {
    const end = (text) => {
      clearTimeout(timer)
      resolve(said(text))
    }
    let child
    let out = ""
    const timer = setTimeout(() => {
      child?.kill("SIGKILL")
      end("")
    }, patience[event] ?? otherwise)
    try {
      child = spawn(program, ["hook", "opencode", event], { cwd: moment.cwd, stdio: ["pipe", "pipe", "ignore"] })
      child.on("error", () => end(""))
      child.on("close", () => end(out))
      child.stdout.on("data", (part) => (out += part))
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify({ ...moment, hook_event_name: event }))
    } catch {
      end("")
    }
  })
}

// said reads the answer of a hook: what it tells, and why it holds a call back.
function said(text) {
  try {
    const { additionalContext: context, decision, reason } = JSON.parse(text)
    return { told: typeof context === "string" ? context : "", held: decision === "deny" && typeof reason === "string" ? reason : "" }
  } catch {
    return { told: "", held: "" }
  }
}

// quietly makes a handler that keeps its errors to itself.
function quietly(handler) {
  return async (...given) => {
    try {
      await handler(...given)
    } catch {}
  }
}

// asked is what a person typed of a message.
function asked(parts) {
  return parts.filter((p) => p.type === "text" && !p.synthetic).map((p) => p.text).join("\n")
}

// summary is the newest summary of a session.
function summary(messages) {
  const last = messages.findLast((m) => m.info.role === "assistant" && m.info.summary === true)
  return last ? asked(last.parts) : ""
}

// exported is a session in the shape of 'opencode export', without its middle where it is too large.
function exported(info, messages) {
  while (messages.length > 2 && JSON.stringify(messages).length > mostOfExport) {
    messages = [messages[0], ...messages.slice(Math.ceil(messages.length / 2) + 1)]
  }
  return { info, messages }
}

export const GitLtm = async ({ client, directory }) => {
  const sessions = new Map() // what was told stays in the system text, which OpenCode makes anew for each request
  const children = new Set() // sessions of sub-agents; what they should know is in their prompt

  const known = (id) => {
    if (!sessions.has(id)) {
      sessions.set(id, { told: [], atCalls: new Map(), begun: undefined })
    }
    return sessions.get(id)
  }
  const moment = (id) => ({ session_id: id, cwd: directory })

  const tell = async (id, event, more) => {
    const { told } = await ask(event, { ...moment(id), ...more })
    if (told) {
      known(id).told.push(told)
    }
  }
  const begin = (id) => {
    const session = known(id)
    session.begun ??= children.has(id) ? Promise.resolve() : tell(id, "session-start", { source: "startup" })
    return session.begun
  }
  const read = async (id) => {
    const [info, messages] = await Promise.all([
      client.session.get({ path: { id } }),
      client.session.messages({ path: { id } }),
    ])
    return exported(info.data ?? { id, directory }, messages.data ?? [])
  }

  const on = {
    "session.created": ({ info }) => {
      if (info.parentID) {
        children.add(info.id)
      }
    },
    "session.deleted": ({ info }) => {
      sessions.delete(info.id)
      children.delete(info.id)
    },
    "session.idle": async ({ sessionID }) => {
      if (!children.has(sessionID)) {
        await ask("stop", { ...moment(sessionID), ...(await read(sessionID)) })
      }
    },
    "session.compacted": async ({ sessionID }) => {
      const session = await read(sessionID)
      await ask("compacted", { ...moment(sessionID), ...session, summary: summary(session.messages) })
    },
    "message.part.updated": async ({ part }) => {
      if (part.type === "tool" && part.state.status === "error" && acting.has(part.tool)) {
        const error = String(part.state.error)
        await ask("tool-failure", {
          ...moment(part.sessionID),
          tool_name: part.tool,
          tool_input: part.state.input,
          error,
          is_interrupt: /abort|rejected/i.test(error),
        })
      }
    },
  }

  return {
    event: quietly(({ event }) => on[event.type]?.(event.properties)),

    "chat.message": quietly(async ({ sessionID }, { parts }) => {
      await begin(sessionID)
      if (!children.has(sessionID)) {
        await tell(sessionID, "prompt", { prompt: asked(parts) })
      }
    }),

    "experimental.chat.system.transform": quietly(async ({ sessionID }, { system }) => {
      if (!sessionID || system.some((text) => text.startsWith("You are a title generator"))) {
        return
      }
      await begin(sessionID)
      const session = known(sessionID)
      session.told.push(...session.atCalls.values()) // of calls that threw: their results could not carry it
      session.atCalls.clear()
      system.push(...session.told)
    }),

    "tool.execute.before": async ({ tool, sessionID, callID }, { args }) => {
      if (!acting.has(tool)) {
        return
      }
      const { told, held } = await ask("tool", { ...moment(sessionID), tool_name: tool, tool_input: args })
      if (held) {
        throw new Error(held)
      }
      if (told) {
        known(sessionID).atCalls.set(callID, told)
      }
    },

    "tool.execute.after": quietly(async ({ tool, sessionID, callID, args }, result) => {
      const { atCalls } = known(sessionID)
      const text = atCalls.get(callID)
      const { output, metadata } = result
      if (text && typeof output === "string") {
        atCalls.delete(callID)
        result.output = output + "\n\n" + text
      }
      if (acting.has(tool) && metadata?.exit) {
        const answer = { output, metadata: { exit: metadata.exit } }
        await ask("after-tool", { ...moment(sessionID), tool_name: tool, tool_input: args, tool_response: answer })
      }
    }),

    "experimental.session.compacting": quietly(async ({ sessionID }, { context }) => {
      if (known(sessionID).told.length > 0) {
        context.push("Keep the goal, what failed and why, what was decided and why, and the next step.")
      }
    }),
  }
}
