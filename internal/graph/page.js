
"use strict";
// The list in the page stands without this script. The script reads the same
// records from the data beside it, and writes text as text: it never makes
// HTML out of a string.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const nodes = data.nodes;
  const records = nodes.filter((n) => !n.aside).length;
  const roomy = records <= 200; // There is room for words beside the nodes.
  const gap = 20, margin = { left: 28, right: 200, top: 34 };
  const laneHeight = roomy ? 42 : 26, headHeight = roomy ? 46 : 32;
  const near = nodes.map(() => new Set());
  const picture = document.getElementById("picture");
  const panel = document.getElementById("chosen");
  const items = nodes.map((_, i) => document.getElementById("n" + (i + 1)));
  const drawn = nodes.map(() => null); // The shape and the words of each node.
  const hiddenKinds = new Set();
  let lines = []; // Edges and rails with the nodes at their ends.
  let chosen = -1, reach = -1, zoom = 1, shown = nodes.map(() => true);

  function link(a, b) { near[a].add(b); near[b].add(a); }
  nodes.forEach((n, i) => { n.time = n.at ? Date.parse(n.at) : NaN; if (n.on >= 0) link(i, n.on); });
  data.edges.forEach((e) => link(e.from, e.to));

  function svg(name, attributes, parent) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    if (parent) parent.append(element);
    return element;
  }

  function html(name, className, text, parent) {
    const element = document.createElement(name);
    if (className) element.className = className;
    if (text) element.textContent = text;
    if (parent) parent.append(element);
    return element;
  }

  function cut(text, length) { return text.length <= length ? text : Array.from(text).slice(0, length - 1).join("") + "\u2026"; }

  // What has no time stands where its youngest neighbour does.
  function placeTimes() {
    const known = nodes.map((n) => n.time).filter((t) => !isNaN(t));
    const oldest = known.length ? known.reduce((a, b) => Math.min(a, b)) : 0;
    nodes.forEach((n, i) => {
      if (!isNaN(n.time)) { n.when = n.time; return; }
      const around = [...near[i]].map((k) => nodes[k].time).filter((t) => !isNaN(t));
      n.when = around.length ? Math.min(...around.slice(0, 1000)) : oldest;
    });
  }

  // Quiet stretches are short: the room between two records grows with the
  // logarithm of the time between them. A record stands right of the one that
  // it continues.
  function placeColumns(width) {
    const chainOf = nodes.map(() => -1);
    data.chains.forEach((chain, c) => chain.forEach((i) => { chainOf[i] = c; }));
    const order = nodes.map((_, i) => i).filter((i) => !nodes[i].aside).sort((a, b) => nodes[a].when - nodes[b].when || b - a);
    const last = data.chains.map(() => -Infinity);
    let x = 0, before = null;
    for (const i of order) {
      const hours = before === null ? 0 : (nodes[i].when - before) / 3600000;
      x += Math.min(56, (roomy ? 14 : 3) * Math.log2(1 + hours) / 2);
      x = Math.max(x, last[chainOf[i]] + gap);
      last[chainOf[i]] = nodes[i].x = x;
      before = nodes[i].when;
    }
    const free = width - margin.left - margin.right;
    const scale = Math.max(x > 0 ? free / x : 1, 1) * zoom;
    for (const i of order) nodes[i].x = margin.left + nodes[i].x * Math.min(scale, 12);
    nodes.forEach((n, i) => {
      if (n.aside) n.x = Math.min(...[...near[i]].slice(0, 1000).map((k) => nodes[k].x).filter((v) => v !== undefined), 1e9);
    });
    return order;
  }

  // Lines of a branch share lanes where they do not meet.
  function placeLanes() {
    const bands = new Map();
    const put = (name, line) => { if (!bands.has(name)) bands.set(name, []); bands.get(name).push(line); };
    data.chains.forEach((chain) => put(nodes[chain[0]].branch || "", chain));
    const asides = nodes.map((_, i) => i).filter((i) => nodes[i].aside && nodes[i].x < 1e9);
    const placed = [];
    let y = margin.top;
    const band = (name, chains, height) => {
      const ends = [], rows = [];
      chains.sort((a, b) => nodes[a[a.length - 1]].x - nodes[b[b.length - 1]].x);
      for (const chain of chains) {
        const start = nodes[chain[chain.length - 1]].x, room = roomy && chain.length > 1 ? 110 : gap;
        let lane = ends.findIndex((end) => end <= start);
        if (lane < 0) lane = ends.length;
        ends[lane] = nodes[chain[0]].x + room;
        for (const i of chain) { nodes[i].y = y + headHeight + lane * height; (rows[lane] = rows[lane] || []).push(i); }
      }
      const tall = headHeight - 14 + ends.length * height;
      placed.push({ name, y, tall, rows });
      y += tall;
    };
    for (const [name, chains] of [...bands].sort((a, b) => (a[0] === "") - (b[0] === ""))) band(name || "no branch", chains, laneHeight);
    if (asides.length) band("files and commits", asides.map((i) => [i]), laneHeight - 6);
    return { bands: placed, height: y + 14 };
  }

  function shape(n, parent) {
    switch (n.class) {
      case "note": return svg("rect", { class: "shape", x: -6, y: -6, width: 12, height: 12, rx: 2.5 }, parent);
      case "skip": return svg("path", { class: "shape", d: "M0-8L8 0L0 8L-8 0Z" }, parent);
      case "file": return svg("path", { class: "shape", d: "M-5-7H2L6-3V7H-5Z" }, parent);
      case "commit": return svg("circle", { class: "shape", r: 4.5 }, parent);
      default: return svg("circle", { class: "shape", r: 7 }, parent);
    }
  }

  function name(n) {
    return [n.kind + " " + n.short, n.label, (n.states || []).join(", "), n.at ? n.at.slice(0, 10) : "", n.author || "", n.branch || ""].filter(Boolean).join("; ");
  }

  function drawAxis(root, order, width, height) {
    const axis = svg("g", { "aria-hidden": "true" }, root), heads = svg("g", { "aria-hidden": "true" });
    svg("rect", { class: "axisbar", x: 0, y: 0, width, height: 24 }, heads);
    let day = "", free = 0;
    for (const i of order) {
      const n = nodes[i];
      if (!n.at || n.at.slice(0, 10) === day || n.x < free) continue;
      day = n.at.slice(0, 10);
      svg("line", { class: "tick", x1: n.x, x2: n.x, y1: 24, y2: height }, axis);
      svg("text", { x: n.x + 4, y: 16 }, heads).textContent = day;
      free = n.x + 84;
    }
    return heads;
  }

  function drawBands(root, bands, width) {
    const names = svg("g", { "aria-hidden": "true" });
    bands.forEach((b, k) => {
      if (k % 2) svg("rect", { class: "band", x: 0, y: b.y, width, height: b.tall }, root);
      svg("text", { class: "branch", x: 12, y: b.y + 16 }, names).textContent = cut(b.name, 60);
    });
    return names;
  }

  function drawLine(parent, className, a, b, path) {
    lines.push({ a, b, element: svg("path", { class: className, d: path }, parent) });
  }

  function drawLines(root) {
    const group = svg("g", { "aria-hidden": "true" }, root);
    for (const e of data.edges) {
      const a = nodes[e.from], b = nodes[e.to];
      if (a.y === undefined || b.y === undefined || e.from === e.to) continue;
      const bend = a.y === b.y ? Math.min(34, 8 + Math.abs(a.x - b.x) / 5) : 0;
      const middle = bend ? `Q${(a.x + b.x) / 2} ${a.y - bend} ${b.x} ${b.y}` : `C${a.x} ${(a.y + b.y) / 2} ${b.x} ${(a.y + b.y) / 2} ${b.x} ${b.y}`;
      const kind = e.kind === "supersedes" || e.kind === "consolidates" ? " superseding" : b.aside || a.aside ? " faint" : "";
      drawLine(group, "edge" + kind, e.from, e.to, `M${a.x} ${a.y}${middle}`);
    }
    nodes.forEach((n, i) => {
      if (n.on < 0) return;
      const p = nodes[n.on], turn = Math.min(p.x + 18, n.x);
      drawLine(group, "rail", i, n.on, p.y === n.y ? `M${p.x} ${p.y}H${n.x}` : `M${p.x} ${p.y}C${turn} ${p.y} ${p.x} ${n.y} ${turn} ${n.y}H${n.x}`);
    });
  }

  function drawNodes(root, bands) {
    for (const b of bands) {
      for (const row of b.rows) {
        row.sort((i, k) => nodes[i].x - nodes[k].x);
        row.forEach((i, at) => {
          const n = nodes[i], after = row[at + 1];
          const g = svg("g", { class: "node k-" + n.class + (n.past ? " past" : ""), transform: `translate(${n.x} ${n.y})`, tabindex: -1, role: "button", "aria-label": name(n) }, root);
          g.dataset.node = i;
          svg("rect", { x: -10, y: -10, width: 20, height: 20, fill: "transparent" }, g);
          shape(n, g);
          svg("title", {}, g).textContent = name(n);
          drawn[i] = { g, words: null };
          const room = Math.floor(((after === undefined ? n.x + 230 : nodes[after].x) - n.x - 4) / 5.9);
          if (roomy && room >= 6) {
            drawn[i].words = svg("text", { class: "said", x: n.x - 6, y: n.y - 12, "aria-hidden": "true" }, root);
            drawn[i].words.textContent = cut(n.label, Math.min(room, 38));
          }
        });
      }
    }
  }

  function draw() {
    lines = [];
    drawn.fill(null);
    nodes.forEach((n) => { delete n.x; delete n.y; });
    const box = picture.querySelector(".scroll");
    const order = placeColumns(box.clientWidth || 900);
    const { bands, height } = placeLanes();
    const width = Math.max(box.clientWidth, ...order.slice(-50).map((i) => nodes[i].x + (roomy ? margin.right : 40)));
    const root = svg("svg", { class: roomy ? "roomy" : "dense", width, height, role: "group", "aria-label": "Threads from old at the left to new at the right. Arrow keys move, Enter chooses, Escape lets go." });
    const names = drawBands(root, bands, width);
    const heads = drawAxis(root, order, width, height);
    drawLines(root);
    drawNodes(root, bands);
    root.append(names, heads);
    box.replaceChildren(root);
    box.onscroll = () => {
      names.setAttribute("transform", `translate(${box.scrollLeft} 0)`);
      heads.setAttribute("transform", `translate(0 ${box.scrollTop})`);
    };
    box.scrollLeft = width;
    box.onscroll();
    listen(root);
    reachFor(order.length ? order[order.length - 1] : -1);
    light(chosen);
    dim();
  }

  function light(i) {
    const root = picture.querySelector("svg");
    if (!root) return;
    root.querySelectorAll(".on").forEach((e) => e.classList.remove("on"));
    root.classList.toggle("lit", i >= 0);
    if (i < 0) return;
    for (const k of [i, ...near[i]]) if (drawn[k]) { drawn[k].g.classList.add("on"); if (drawn[k].words) drawn[k].words.classList.add("on"); }
    for (const l of lines) if (l.a === i || l.b === i) l.element.classList.add("on");
  }

  function reachFor(i) {
    if (reach >= 0 && drawn[reach]) drawn[reach].g.setAttribute("tabindex", -1);
    reach = i;
    if (i >= 0 && drawn[i]) drawn[i].g.setAttribute("tabindex", 0);
  }

  function choose(i) {
    document.querySelectorAll(".record.chosen, .node.chosen").forEach((e) => e.classList.remove("chosen"));
    chosen = i;
    panel.hidden = i < 0;
    light(i);
    if (i < 0) return;
    if (drawn[i]) drawn[i].g.classList.add("chosen");
    const item = items[i];
    panel.replaceChildren(...[...(item ? item.children : [])].map((c) => c.cloneNode(true)));
    if (!item) return;
    item.classList.add("chosen");
    const place = html("a", "", "show in the list", html("p", "meta", "", panel));
    place.href = "#" + item.id;
  }

  function step(i, key) {
    const n = nodes[i];
    let best = -1, least = Infinity;
    nodes.forEach((m, k) => {
      if (k === i || !drawn[k] || !shown[k]) return;
      const dx = m.x - n.x, dy = m.y - n.y;
      const [ahead, aside] = { ArrowRight: [dx, dy], ArrowLeft: [-dx, dy], ArrowDown: [dy, dx], ArrowUp: [-dy, dx] }[key];
      const cost = ahead + 4 * Math.abs(aside);
      if (ahead > 0 && cost < least) { least = cost; best = k; }
    });
    if (best >= 0) { reachFor(best); drawn[best].g.focus(); }
  }

  function listen(root) {
    const at = (event) => { const g = event.target.closest(".node"); return g ? Number(g.dataset.node) : -1; };
    root.addEventListener("mouseover", (event) => light(at(event) >= 0 ? at(event) : chosen));
    root.addEventListener("mouseleave", () => light(chosen));
    root.addEventListener("focusin", (event) => light(at(event)));
    root.addEventListener("focusout", () => light(chosen));
    root.addEventListener("click", (event) => { const i = at(event); choose(i === chosen ? -1 : i); if (i >= 0) reachFor(i); });
    root.addEventListener("keydown", (event) => {
      const i = at(event);
      if (i < 0) return;
      if (event.key.startsWith("Arrow")) step(i, event.key);
      else if (event.key === "Enter" || event.key === " ") choose(i);
      else if (event.key === "Escape") choose(-1);
      else return;
      event.preventDefault();
    });
  }

  function dim() {
    nodes.forEach((_, i) => {
      if (!drawn[i]) return;
      drawn[i].g.classList.toggle("out", !shown[i]);
      if (drawn[i].words) drawn[i].words.classList.toggle("out", !shown[i]);
    });
  }

  const texts = nodes.map((n) => [n.kind, n.short, n.label, n.author, n.branch, ...(n.states || []), n.at].join(" ").toLowerCase());
  const parts = [...document.querySelectorAll("#list details")].map((d) => ({ d, open: d.open }));

  function filter() {
    const words = document.getElementById("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
    const asked = words.length > 0 || hiddenKinds.size > 0;
    shown = nodes.map((n, i) => !hiddenKinds.has(n.class) && words.every((w) => texts[i].includes(w)));
    items.forEach((item, i) => { if (item) item.hidden = !shown[i]; });
    for (const { d, open } of parts) {
      const some = d.querySelector(".record:not([hidden])") !== null;
      d.hidden = !some;
      d.open = words.length > 0 ? some : open;
    }
    const count = shown.filter(Boolean).length;
    document.getElementById("count").textContent = asked ? count + " of " + nodes.length + " shown" : "";
    dim();
  }

  function tools() {
    const kinds = document.getElementById("kinds");
    for (const kind of ["packet", "note", "skip", "file", "commit", "missing", "other"]) {
      if (!nodes.some((n) => n.class === kind)) continue;
      const button = html("button", "k-" + kind, "", kinds);
      button.type = "button";
      button.setAttribute("aria-pressed", "true");
      shape({ class: kind }, svg("svg", { viewBox: "-9 -9 18 18", "aria-hidden": "true" }, button));
      html("span", "", kind, button);
      button.addEventListener("click", () => {
        if (!hiddenKinds.delete(kind)) hiddenKinds.add(kind);
        button.setAttribute("aria-pressed", String(!hiddenKinds.has(kind)));
        filter();
      });
    }
    let wait = 0;
    document.getElementById("filter").addEventListener("input", () => { clearTimeout(wait); wait = setTimeout(filter, nodes.length > 500 ? 120 : 0); });
    document.getElementById("tools").hidden = false;
  }

  function frame() {
    html("div", "scroll", "", picture);
    const bar = html("div", "zoom", "", picture);
    for (const [text, label, change] of [["\u2212", "Narrower", () => zoom / 1.4], ["+", "Wider", () => zoom * 1.4], ["Fit", "As at first", () => 1]]) {
      const button = html("button", "", text, bar);
      button.type = "button";
      button.title = label;
      button.setAttribute("aria-label", label);
      button.addEventListener("click", () => { zoom = Math.max(0.2, Math.min(8, change())); draw(); });
    }
    picture.hidden = false;
  }

  // A link into a part of the list that is shut opens it.
  function reveal() {
    const item = /^#n\d+$/.test(location.hash) ? document.getElementById(location.hash.slice(1)) : null;
    if (!item) return;
    const part = item.closest("details");
    item.hidden = false; // The filter may have put it away.
    if (part) { part.hidden = false; part.open = true; }
    choose(Number(item.id.slice(1)) - 1);
    item.scrollIntoView({ block: "center" });
  }

  if (nodes.length === 0) return;
  tools();
  placeTimes();
  frame();
  draw();
  let width = picture.clientWidth, wait = 0;
  addEventListener("resize", () => {
    clearTimeout(wait);
    wait = setTimeout(() => { if (picture.clientWidth !== width) { width = picture.clientWidth; draw(); } }, 150);
  });
  addEventListener("hashchange", reveal);
  reveal();
})();
