import { Hono, type Context } from "hono";
import { penceFromText } from "../network/amounts.ts";
import type { Networks } from "../network/network.ts";
import { writeSwitches } from "../network/switches.ts";
import { loseClickRef, type MoveResult } from "../network/transactions.ts";
import { sandboxFrame } from "../pages/sandbox-frame.ts";
import {
  forgePush,
  forgetEverything,
  moveAtItsNetwork,
  pushAgain,
  pushesSettled,
  pushInReverse,
  releasePushes,
} from "./control-actions.ts";
import { networkPage } from "./network-page.ts";

/** The control page and its forms. Every button posts, and reloads the page with a line that says what happened. */
export function networkRoutes(networks: Networks): Hono {
  const routes = new Hono();
  const { state } = networks;
  const back = (context: Context, message: string): Response =>
    context.redirect(`/network?done=${encodeURIComponent(message)}`, 303);
  const say = (context: Context, moved: MoveResult, done: string): Response =>
    back(context, "refused" in moved ? moved.refused : `${moved.row.order_ref}: ${done}`);
  const id = (context: Context): number => Number(context.req.param("id"));

  routes.get("/", (context) =>
    context.html(
      sandboxFrame({
        title: "Affiliate network",
        path: "/network",
        message: context.req.query("done")?.slice(0, 300),
        body: networkPage(networks),
      }),
    ),
  );

  routes.post("/transactions/:id/approve", (context) =>
    say(context, moveAtItsNetwork(networks, id(context), "approve"), "approved."),
  );
  routes.post("/transactions/:id/decline", async (context) => {
    const reason = String((await context.req.formData()).get("reason") ?? "");
    return say(context, moveAtItsNetwork(networks, id(context), "decline", { reason }), `declined, ${reason}.`);
  });
  routes.post("/transactions/:id/amend", async (context) => {
    const salePence = penceFromText(String((await context.req.formData()).get("amount") ?? ""));
    return say(
      context,
      moveAtItsNetwork(networks, id(context), "amend", salePence === null ? {} : { salePence }),
      "amended.",
    );
  });
  routes.post("/transactions/:id/pay", (context) =>
    say(context, moveAtItsNetwork(networks, id(context), "pay"), "the publisher has been paid."),
  );
  routes.post("/transactions/:id/lose-clickref", (context) =>
    say(context, loseClickRef(state, id(context)), "the click reference is gone."),
  );
  routes.post("/transactions/:id/push", async (context) => {
    if (!pushAgain(networks, id(context))) return back(context, `There is no transaction ${id(context)}.`);
    await pushesSettled(networks);
    return back(context, "The push was sent again.");
  });

  routes.post("/pushes/hold", (context) => {
    writeSwitches(state, { holdPushes: true });
    return back(context, "New pushes wait until you release them.");
  });
  routes.post("/pushes/release", async (context) => {
    writeSwitches(state, { holdPushes: false });
    const count = releasePushes(networks, "oldest first");
    await pushesSettled(networks);
    return back(context, `${count} released.`);
  });
  routes.post("/pushes/reverse", async (context) => {
    const count = pushInReverse(networks, 10);
    await pushesSettled(networks);
    return back(context, `${count} sent, newest first.`);
  });
  routes.post("/pushes/forge", async (context) => {
    const message = forgePush(networks.all[0]!);
    await pushesSettled(networks);
    return back(context, `A push for transaction ${message.transactionId}, which the report does not know, was sent.`);
  });
  routes.post("/switches", async (context) => {
    const form = await context.req.formData();
    const on = (name: string): boolean => form.has(name);
    writeSwitches(state, {
      holdPushes: on("holdPushes"),
      sendTwice: on("sendTwice"),
      retryFailed: on("retryFailed"),
      loseClickRefs: on("loseClickRefs"),
      delaySeconds: Number(form.get("delaySeconds") ?? 0),
    });
    return back(context, "Switches saved.");
  });
  routes.post("/reset", (context) => {
    forgetEverything(networks);
    return back(context, "Everything is forgotten.");
  });

  return routes;
}
