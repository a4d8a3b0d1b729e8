import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.UsersApi;
import org.openapitools.client.model.CreateUser;
import org.openapitools.client.model.ErrorBody;
import org.openapitools.client.model.ErrorCode;
import org.openapitools.client.model.ErrorContent;
import org.openapitools.client.model.PageUser;
import org.openapitools.client.model.User;

/** What a client of openapi-generator's `java` does against a running service. */
class Use {
    static final ApiClient CLIENT = new ApiClient();
    static final Map<String, Object> METADATA = Map.of("plan", "gold", "seats", List.of(1));

    public static void main(String[] arguments) throws Exception {
        CLIENT.updateBaseUri(System.getenv("DOORWARD_URL"));
        CLIENT.setRequestInterceptor(
            request -> request.header("Authorization", "Bearer " + System.getenv("DOORWARD_KEY")));
        var users = new UsersApi(CLIENT);

        for (int number = 1; number <= 6; number++) {
            User made = create(users, address(number));
            must(made.getMetadata().equals(METADATA), made);
        }

        must(refusal(users, address(1), 409).getCode() == ErrorCode.EMAIL_TAKEN, "409");
        must(refusal(users, "nobody", 422).getDetails().keySet().equals(java.util.Set.of("email")), "422");

        long found = 0;
        String after = null;
        do {
            PageUser page = users.listUsers(null, null, null, null, null, null, 5, after);
            must(page.getData().size() <= 5, page);
            found += page.getData().stream().filter(user -> user.getEmail().startsWith(System.getenv("CLIENT"))).count();
            after = page.getNext();
        } while (after != null);
        must(found == 6, found);

        var sessions = users.listUserSessions(UUID.fromString(System.getenv("DOORWARD_USER")), null, null);
        must(sessions.getData().get(0).getMethods().equals(List.of("password")), sessions);
    }

    static String address(int number) {
        return System.getenv("CLIENT") + "-" + number + "@example.com";
    }

    static User create(UsersApi users, String email) throws ApiException {
        return users.createUser(new CreateUser().email(email).metadata(METADATA), null);
    }

    static ErrorContent refusal(UsersApi users, String email, int status) throws Exception {
        try {
            create(users, email);
        } catch (ApiException why) {
            must(why.getCode() == status, why);
            return CLIENT.getObjectMapper().readValue(why.getResponseBody(), ErrorBody.class).getError();
        }
        throw new AssertionError(email + " was not refused");
    }

    static void must(boolean holds, Object shown) {
        if (!holds) throw new AssertionError(shown);
    }
}
