package main

import (
	"cmp"
	"fmt"
	"log"
	"net/http"
	"os"
)

func main() {
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "Hello, World!")
	})
	addr := ":" + cmp.Or(os.Getenv("PORT"), "3000")
	log.Fatal(http.ListenAndServe(addr, nil))
}
