package main

import (
	"cmp"
	"fmt"
	"html"
	"log"
	"net/http"
	"os"

	"doorward"
)

func main() {
	dw, err := doorward.New(doorward.Options{})
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		person := doorward.FromContext(r.Context())
		shown := html.EscapeString(person.Email + " of " + person.Organization.Name)
		fmt.Fprintf(w, "<p>%s</p>%s", shown, dw.LogoutForm(r))
	})
	addr := ":" + cmp.Or(os.Getenv("PORT"), "3000")
	log.Fatal(http.ListenAndServe(addr, dw.Protect(doorward.Live())(http.DefaultServeMux)))
}
