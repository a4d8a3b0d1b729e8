package main

import (
	"encoding/json"
	"fmt"
	"os"
)

type given struct {
	Secret, Signature, ID, Timestamp, Signatures string
	Body                                         []byte
}

func main() {
	var all []given
	if err := json.NewDecoder(os.Stdin).Decode(&all); err != nil {
		panic(err)
	}
	for _, one := range all {
		fmt.Println(
			IsGenuine(one.Secret, one.Body, one.Signature),
			IsGenuineAndFresh(one.Secret, one.Body, one.ID, one.Timestamp, one.Signatures))
	}
}
