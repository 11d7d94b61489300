import { Hono, type Context } from "hono";
import { penceFromText } from "../network/amounts.ts";
import type { Network } from "../network/network.ts";
import { writeSwitches } from "../network/switches.ts";
import { loseClickRef, moveTransaction, type MoveResult } from "../network/transactions.ts";
import { sandboxFrame } from "../pages/sandbox-frame.ts";
import { forgePush, forgetEverything, pushAgain, pushInReverse } from "./control-actions.ts";
import { networkPage } from "./network-page.ts";

/** The control page and its forms: every button posts, is done, and comes back with a line that says what happened. */
export function networkRoutes(network: Network): Hono {
  const routes = new Hono();
  const { state, pushes } = network;
  const back = (c: Context, message: string): Response =>
    c.redirect(`/network?done=${encodeURIComponent(message)}`, 303);
  const say = (c: Context, moved: MoveResult, done: string): Response =>
    back(c, "refused" in moved ? moved.refused : `${moved.row.order_ref}: ${done}`);
  const id = (c: Context): number => Number(c.req.param("id"));

  routes.get("/", (c) =>
    c.html(
      sandboxFrame({
        title: "Affiliate network",
        path: "/network",
        message: c.req.query("done")?.slice(0, 300),
        body: networkPage(network),
      }),
    ),
  );

  routes.post("/transactions/:id/approve", (c) => say(c, moveTransaction(network, id(c), "approve"), "approved."));
  routes.post("/transactions/:id/decline", async (c) => {
    const reason = String((await c.req.formData()).get("reason") ?? "");
    return say(c, moveTransaction(network, id(c), "decline", { reason }), `declined, ${reason}.`);
  });
  routes.post("/transactions/:id/amend", async (c) => {
    const salePence = penceFromText(String((await c.req.formData()).get("amount") ?? ""));
    return say(c, moveTransaction(network, id(c), "amend", salePence === null ? {} : { salePence }), "amended.");
  });
  routes.post("/transactions/:id/pay", (c) =>
    say(c, moveTransaction(network, id(c), "pay"), "the publisher has been paid."),
  );
  routes.post("/transactions/:id/lose-clickref", (c) =>
    say(c, loseClickRef(state, id(c)), "the click reference is gone."),
  );
  routes.post("/transactions/:id/push", async (c) => {
    if (!pushAgain(network, id(c))) return back(c, `There is no transaction ${id(c)}.`);
    await pushes.settled();
    return back(c, "The push was sent again.");
  });

  routes.post("/pushes/hold", (c) => {
    writeSwitches(state, { holdPushes: true });
    return back(c, "New pushes wait until you release them.");
  });
  routes.post("/pushes/release", async (c) => {
    writeSwitches(state, { holdPushes: false });
    const count = pushes.release("oldest first");
    await pushes.settled();
    return back(c, `${count} released.`);
  });
  routes.post("/pushes/reverse", async (c) => {
    const count = pushInReverse(network, 10);
    await pushes.settled();
    return back(c, `${count} sent, newest first.`);
  });
  routes.post("/pushes/forge", async (c) => {
    const message = forgePush(network);
    await pushes.settled();
    return back(c, `A push for transaction ${message.transactionId}, which the report does not know, was sent.`);
  });
  routes.post("/switches", async (c) => {
    const form = await c.req.formData();
    const on = (name: string): boolean => form.has(name);
    writeSwitches(state, {
      holdPushes: on("holdPushes"),
      sendTwice: on("sendTwice"),
      retryFailed: on("retryFailed"),
      loseClickRefs: on("loseClickRefs"),
      delaySeconds: Number(form.get("delaySeconds") ?? 0),
    });
    return back(c, "Switches saved.");
  });
  routes.post("/reset", (c) => {
    forgetEverything(network);
    return back(c, "Everything is forgotten.");
  });

  return routes;
}
