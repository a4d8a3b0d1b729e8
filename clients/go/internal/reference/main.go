// Command reference prints REFERENCE.md, made of the doc comments: go run ./internal/reference > REFERENCE.md
package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/format"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if err := write(os.Stdout, "."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// write prints the reference of the module in a folder.
func write(out io.Writer, module string) error {
	fmt.Fprint(out, "# Reference of the Go library\n\nFor developers. Made of the doc comments by `go run ./internal/reference > REFERENCE.md`.\n")
	for _, path := range []string{"doorward", "doorward/doorwardtest"} {
		p, files, err := load(path, filepath.Join(module, strings.TrimPrefix(path, "doorward")))
		if err != nil {
			return err
		}
		page := &page{out, p, files}
		page.write()
	}
	return nil
}

func load(path, folder string) (*doc.Package, *token.FileSet, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, nil, err
	}
	files := token.NewFileSet()
	var parsed []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, name, nil, parser.ParseComments)
		if err != nil {
			return nil, nil, err
		}
		parsed = append(parsed, file)
	}
	p, err := doc.NewFromFiles(files, parsed, path)
	return p, files, err
}

// page is what is printed of one package.
type page struct {
	out   io.Writer
	doc   *doc.Package
	files *token.FileSet
}

func (p *page) write() {
	fmt.Fprintf(p.out, "\n## Package %s\n", p.doc.Name)
	p.text(p.doc.Doc)
	p.functions("", p.doc.Funcs)
	for _, t := range p.doc.Types {
		p.symbol(t.Name, t.Decl, t.Doc)
		p.functions("", t.Funcs)
		p.functions(t.Name+".", t.Methods)
	}
}

func (p *page) functions(prefix string, functions []*doc.Func) {
	for _, f := range functions {
		p.symbol(prefix+f.Name, f.Decl, f.Doc)
	}
}

func (p *page) symbol(name string, declaration ast.Node, text string) {
	if function, ok := declaration.(*ast.FuncDecl); ok {
		function.Body = nil
	}
	var code bytes.Buffer
	if err := format.Node(&code, p.files, declaration); err != nil {
		panic(err) // it was parsed, so it can be printed
	}
	fmt.Fprintf(p.out, "\n### %s\n\n```go\n%s\n```\n", name, code.Bytes())
	p.text(text)
}

func (p *page) text(text string) {
	printer := p.doc.Printer()
	printer.HeadingLevel = 4
	printer.DocLinkURL = linkOf
	fmt.Fprintf(p.out, "\n%s", printer.Markdown(p.doc.Parser().Parse(text)))
}

// linkOf leads to a heading here, or to the documentation of the standard library.
func linkOf(link *comment.DocLink) string {
	name := link.Name
	if link.Recv != "" {
		name = link.Recv + "." + link.Name
	}
	if link.ImportPath == "" || strings.HasPrefix(link.ImportPath, "doorward") {
		return "#" + strings.ToLower(strings.ReplaceAll(name, ".", ""))
	}
	return "https://pkg.go.dev/" + link.ImportPath + "#" + name
}
