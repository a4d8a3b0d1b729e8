package main

import (
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	var given struct {
		Keys       []Key
		Assertions []string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		panic(err)
	}
	for _, assertion := range given.Assertions {
		if claims, err := ClaimsOf(assertion, given.Keys); err == nil {
			fmt.Println(claims.Email)
		} else {
			fmt.Println("refused")
		}
	}
}
