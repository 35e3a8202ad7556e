package web

import (
	"bytes"
	"fmt"
	"html"
	"io/fs"
	"reflect"
	"strings"
	"text/template"
	"text/template/parse"
)

// Pages are written in the language of text/template, as far as they need it: fields, define, template, if,
// with and range. They are run here, and not by html/template, because what calls
// methods by name keeps every method of every type in the program: 3 MB. A value stands in text or in a
// quoted attribute, and is escaped for both; a test looks at each place.

// templates are the parsed pages, by name.
type templates map[string]*parse.Tree

// parseTemplates reads the files of a pattern.
func parseTemplates(files fs.FS, pattern string) (templates, error) {
	names, err := fs.Glob(files, pattern)
	all := templates{}
	for _, name := range names {
		text, fault := fs.ReadFile(files, name)
		if fault != nil {
			return nil, fault
		}
		trees, fault := parse.Parse(name, string(text), "", "")
		if fault != nil {
			return nil, fault
		}
		for name, tree := range trees {
			all[name] = tree
		}
	}
	return all, err
}

func isTrue(v any) bool {
	truth, ok := template.IsTrue(v)
	return truth && ok
}

// run is one page that is being written.
type run struct {
	out bytes.Buffer
	all templates
}

// write writes the page of a template. A template that asks for what is not there is an error.
func (t templates) write(name string, value any) (page []byte, err error) {
	r := &run{all: t}
	defer func() {
		if p := recover(); p != nil {
			page, err = nil, fmt.Errorf("template %q: %v", name, p)
		}
	}()
	r.callTemplate(name, value)
	return r.out.Bytes(), nil
}

// callTemplate runs a template of its own, for which $ is its value.
func (r *run) callTemplate(name string, value any) {
	tree, ok := r.all[name]
	if !ok {
		panic(fmt.Sprintf("there is no template %q", name))
	}
	r.writeNode(tree.Root, scope{value, value})
}

// scope is what dot and $ stand for.
type scope struct{ dot, root any }

func (r *run) writeNode(n parse.Node, s scope) {
	switch n := n.(type) {
	case *parse.ListNode:
		if n != nil { // An else that is not there.
			for _, one := range n.Nodes {
				r.writeNode(one, s)
			}
		}
	case *parse.TextNode:
		r.out.Write(n.Text)
	case *parse.ActionNode:
		r.out.WriteString(html.EscapeString(fmt.Sprint(r.evalPipe(n.Pipe, s))))
	case *parse.IfNode:
		r.writeBranch(r.evalPipe(n.Pipe, s), s, s, &n.BranchNode)
	case *parse.WithNode:
		v := r.evalPipe(n.Pipe, s)
		r.writeBranch(v, scope{v, s.root}, s, &n.BranchNode)
	case *parse.RangeNode:
		list := reflect.ValueOf(r.evalPipe(n.Pipe, s))
		for i := range list.Len() {
			r.writeNode(n.List, scope{list.Index(i).Interface(), s.root})
		}
	case *parse.TemplateNode:
		r.callTemplate(n.Name, r.evalPipe(n.Pipe, s))
	default:
		panic(fmt.Sprintf("%s is not known here", n))
	}
}

// writeBranch goes on within a scope where a value is true, and otherwise in that around it.
func (r *run) writeBranch(value any, within, around scope, n *parse.BranchNode) {
	if isTrue(value) {
		r.writeNode(n.List, within)
	} else {
		r.writeNode(n.ElseList, around)
	}
}

// evalPipe is the one value of a pipe: no template needs more.
func (r *run) evalPipe(p *parse.PipeNode, s scope) any {
	if len(p.Cmds) != 1 || len(p.Cmds[0].Args) != 1 || len(p.Decl) > 0 {
		panic(fmt.Sprintf("%s is not known here", p))
	}
	switch n := p.Cmds[0].Args[0].(type) {
	case *parse.DotNode:
		return s.dot
	case *parse.FieldNode:
		return fieldOf(s.dot, n.Ident)
	case *parse.VariableNode:
		return fieldOf(s.root, n.Ident[1:])
	default:
		panic(fmt.Sprintf("%s is not known here", n))
	}
}

// fieldOf is a field of a field and so on of a struct.
func fieldOf(of any, names []string) any {
	for _, name := range names {
		v := reflect.Indirect(reflect.ValueOf(of)).FieldByName(name)
		if !v.IsValid() {
			panic(fmt.Sprintf("%T has no field %s", of, strings.Join(names, ".")))
		}
		of = v.Interface()
	}
	return of
}
