// What a client of openapi-generator's `go` does against a running service.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"

	"try/client"
)

func main() {
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: os.Getenv("DOORWARD_URL")}}
	users := client.NewAPIClient(configuration).UsersAPI
	backend := context.WithValue(context.Background(), client.ContextAccessToken, os.Getenv("DOORWARD_KEY"))
	metadata := map[string]any{"plan": "gold", "seats": []any{1.0}}
	create := func(email string) (*client.User, error) {
		user := client.NewCreateUser(email)
		user.SetMetadata(metadata)
		made, _, err := users.CreateUser(backend).CreateUser(*user).Execute()
		return made, err
	}
	address := func(number int) string { return fmt.Sprintf("%s-%d@example.com", os.Getenv("CLIENT"), number) }

	for number := 1; number <= 6; number++ {
		made, err := create(address(number))
		must(err == nil && reflect.DeepEqual(made.Metadata, metadata), "%v %v", made, err)
	}

	_, err := create(address(1))
	must(refusal(err).Code == client.EMAIL_TAKEN, "%v", err)
	_, err = create("nobody")
	wrong := refusal(err)
	must(wrong.GetDetails()["email"] != "", "%v", err)

	found, request := 0, users.ListUsers(backend).Limit(5)
	for {
		page, _, err := request.Execute()
		must(err == nil && len(page.Data) <= 5, "%v %v", page, err)
		for _, user := range page.Data {
			if strings.HasPrefix(user.Email, os.Getenv("CLIENT")) {
				found++
			}
		}
		if page.Next.Get() == nil {
			break
		}
		request = request.After(*page.Next.Get())
	}
	must(found == 6, "%d users", found)

	sessions, _, err := users.ListUserSessions(backend, os.Getenv("DOORWARD_USER")).Execute()
	must(err == nil && reflect.DeepEqual(sessions.Data[0].Methods, []string{"password"}), "%v %v", sessions, err)
}

func refusal(err error) client.ErrorContent {
	var why *client.GenericOpenAPIError
	must(errors.As(err, &why), "%v", err)
	body, typed := why.Model().(client.ErrorBody)
	must(typed, "%T", why.Model())
	return body.Error
}

func must(holds bool, format string, values ...any) {
	if !holds {
		panic(fmt.Sprintf(format, values...))
	}
}
