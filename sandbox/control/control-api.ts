import { Hono, type Context } from "hono";
import { latestClicks } from "../network/clicks.ts";
import type { Networks } from "../network/network.ts";
import type { PushMessage } from "../network/awin/awin-push-message.ts";
import { readSwitches, writeSwitches } from "../network/switches.ts";
import {
  findTransaction,
  loseClickRef,
  type MoveResult,
  type TransactionMove,
  type TransactionRow,
} from "../network/transactions.ts";
import type { StateValue } from "../state/state.ts";
import { readBody as body } from "./read-body.ts";
import { scenarioApi } from "./scenario-api.ts";
import {
  forgePush,
  forgetEverything,
  latestPushes,
  moveAtItsNetwork,
  pushAgain,
  pushesSettled,
  pushInReverse,
  recordSale,
  releasePushes,
  type SaleRequest,
} from "./control-actions.ts";

const moves: readonly TransactionMove[] = ["approve", "decline", "amend", "delete", "pay"];

/** The control page's actions for tests, as a JSON API. Rows have the columns of the sandbox's tables. */
export function controlApi(networks: Networks, realNow: () => number): Hono {
  const api = new Hono();
  const { state } = networks;
  api.route("/", scenarioApi(networks, realNow));

  api.get("/transactions", (context) => {
    const wheres: string[] = ["1 = 1"];
    const values: StateValue[] = [];
    for (const [query, column] of [
      ["orderRef", "order_ref"],
      ["clickRef", "click_ref"],
      ["advertiserId", "advertiser_id"],
      ["status", "status"],
      ["network", "network"],
    ] as const) {
      const wanted = context.req.query(query);
      if (wanted === undefined) continue;
      wheres.push(`${column} = ?`);
      values.push(column === "advertiser_id" ? Number(wanted) : wanted);
    }
    return context.json(
      state.all<TransactionRow>(
        `select * from transactions where ${wheres.join(" and ")} order by id desc limit 1000`,
        ...values,
      ),
    );
  });

  api.post("/transactions", async (context) => {
    const made = recordSale(networks, await body<SaleRequest>(context));
    return "refused" in made ? refuse(context, made.refused) : context.json(made, 201);
  });

  api.get("/transactions/:id", (context) => {
    const row = findTransaction(state, Number(context.req.param("id")));
    return row ? context.json(row) : refuse(context, "There is no such transaction.", 404);
  });

  for (const move of moves) {
    api.post(`/transactions/:id/${move}`, async (context) =>
      result(context, moveAtItsNetwork(networks, Number(context.req.param("id")), move, await body(context))),
    );
  }
  api.post("/transactions/:id/lose-clickref", (context) =>
    result(context, loseClickRef(state, Number(context.req.param("id")))),
  );
  api.post("/transactions/:id/push", (context) =>
    pushAgain(networks, Number(context.req.param("id")))
      ? context.json({ queued: 1 })
      : refuse(context, "There is no such transaction.", 404),
  );

  api.get("/clicks", (context) => context.json(latestClicks(state, 1000)));
  api.get("/pushes", (context) => context.json(latestPushes(networks, 1000)));
  api.post("/pushes/forge", async (context) =>
    context.json(forgePush(networks.all[0]!, await body<Partial<PushMessage>>(context)), 201),
  );
  api.post("/pushes/reverse", async (context) =>
    context.json({ queued: pushInReverse(networks, Number((await body<{ count?: number }>(context)).count ?? 10)) }),
  );
  api.post("/pushes/hold", (context) => context.json(writeSwitches(state, { holdPushes: true })));
  api.post("/pushes/release", async (context) => {
    const { order } = await body<{ order?: string }>(context);
    writeSwitches(state, { holdPushes: false });
    return context.json({
      released: releasePushes(networks, order === "newest first" ? "newest first" : "oldest first"),
    });
  });
  // Responds when every due push has been sent.
  api.post("/pushes/settle", async (context) => {
    await pushesSettled(networks);
    return context.json({ settled: true });
  });

  api.get("/switches", (context) => context.json(readSwitches(state)));
  api.put("/switches", async (context) => context.json(writeSwitches(state, await body(context))));
  api.post("/reset", (context) => {
    forgetEverything(networks);
    return context.json({ reset: true });
  });

  return api;
}

function result(context: Context, moved: MoveResult): Response {
  return "row" in moved
    ? context.json(moved.row)
    : refuse(context, moved.refused, moved.refused.startsWith("There is no") ? 404 : 409);
}

function refuse(context: Context, message: string, status: 400 | 404 | 409 = 400): Response {
  return context.json({ error: message }, status);
}
