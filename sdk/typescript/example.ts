// Signs in to a service in development, organizes an event, and reads its chat. Argument: the address of the service, such as
// http://localhost:8080.
import { createClient, MoothallError } from "@moothall/client";
import { Realtime } from "@moothall/client/realtime";

declare const process: { argv: string[] };

const url = process.argv[2]!;
const moothall = createClient({ url });

// Sign in. From here on, requests have the access token, which the session refreshes.
const email = "example@example.org";
const { data: challenge } = await moothall.POST("/auth/dev/start", { body: { email } });
const { data: signedIn } = await moothall.POST("/auth/dev/verify", { body: { email, code: challenge.dev_code! } });
await moothall.session.start(signedIn);

// Create an event. If the response is lost, the client repeats the request, and the event exists once.
const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString();
const { data: { event } } = await moothall.POST("/events", { body: { title: "Chess in the park", starts_at: tomorrow, city: "Berlin" } });
await moothall.POST("/events/{event_id}/publish", { params: { path: { event_id: event.id } } });

// Read a list to its end. The client asks for the next page when it is needed.
const query = { organizer_id: signedIn.current_user.user.id, limit: 2 };
for await (const card of moothall.all("/events", { params: { query } })) {
  console.log(card.event.title);
}

// Branch on errors.
try {
  await moothall.POST("/events/{event_id}/reviews", { params: { path: { event_id: event.id } }, body: { rating: 5 } });
} catch (error) {
  if (!(error instanceof MoothallError)) throw error;
  console.log(error.status, error.code, error.reason);
}

// Read a chat as it happens.
const realtime = new Realtime({ url, token: (refused) => moothall.session.token(refused) });
await new Promise<void>((done) => {
  realtime.onFrame = (frame) => {
    if (frame.op === "subscribed") {
      void moothall.POST("/events/{event_id}/messages", { params: { path: { event_id: event.id } }, body: { body: "Hello" } });
    }
    if (frame.op === "message") done();
  };
  realtime.subscribe(`chat:${event.id}`);
  realtime.start();
});
console.log("a message arrived");
realtime.stop();
await moothall.session.end();
