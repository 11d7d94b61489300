import { Hono, type Context } from "hono";
import { latestClicks } from "../network/clicks.ts";
import type { Network } from "../network/network.ts";
import type { PushMessage } from "../network/push-message.ts";
import { readSwitches, writeSwitches } from "../network/switches.ts";
import {
  findTransaction,
  loseClickRef,
  moveTransaction,
  type MoveResult,
  type TransactionMove,
  type TransactionRow,
} from "../network/transactions.ts";
import type { StateValue } from "../state/state.ts";
import {
  forgePush,
  forgetEverything,
  pushAgain,
  pushInReverse,
  recordSale,
  type SaleRequest,
} from "./control-actions.ts";

const moves: readonly TransactionMove[] = ["approve", "decline", "amend", "delete", "pay"];

/** The control page's actions for tests, as a JSON API. Rows have the columns of the sandbox's tables. */
export function controlApi(network: Network): Hono {
  const api = new Hono();
  const { state, pushes } = network;

  api.get("/transactions", (context) => {
    const wheres: string[] = ["1 = 1"];
    const values: StateValue[] = [];
    for (const [query, column] of [
      ["orderRef", "order_ref"],
      ["clickRef", "click_ref"],
      ["advertiserId", "advertiser_id"],
      ["status", "status"],
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
    const made = recordSale(network, await body<SaleRequest>(context));
    return "refused" in made ? refuse(context, made.refused) : context.json(made, 201);
  });

  api.get("/transactions/:id", (context) => {
    const row = findTransaction(state, Number(context.req.param("id")));
    return row ? context.json(row) : refuse(context, "There is no such transaction.", 404);
  });

  for (const move of moves) {
    api.post(`/transactions/:id/${move}`, async (context) =>
      result(context, moveTransaction(network, Number(context.req.param("id")), move, await body(context))),
    );
  }
  api.post("/transactions/:id/lose-clickref", (context) =>
    result(context, loseClickRef(state, Number(context.req.param("id")))),
  );
  api.post("/transactions/:id/push", (context) =>
    pushAgain(network, Number(context.req.param("id")))
      ? context.json({ queued: 1 })
      : refuse(context, "There is no such transaction.", 404),
  );

  api.get("/clicks", (context) => context.json(latestClicks(state, 1000)));
  api.get("/pushes", (context) => context.json(pushes.latest(1000)));
  api.post("/pushes/forge", async (context) =>
    context.json(forgePush(network, await body<Partial<PushMessage>>(context)), 201),
  );
  api.post("/pushes/reverse", async (context) =>
    context.json({ queued: pushInReverse(network, Number((await body<{ count?: number }>(context)).count ?? 10)) }),
  );
  api.post("/pushes/hold", (context) => context.json(writeSwitches(state, { holdPushes: true })));
  api.post("/pushes/release", async (context) => {
    const { order } = await body<{ order?: string }>(context);
    writeSwitches(state, { holdPushes: false });
    return context.json({ released: pushes.release(order === "newest first" ? "newest first" : "oldest first") });
  });
  // Responds when every due push has been sent.
  api.post("/pushes/settle", async (context) => {
    await pushes.settled();
    return context.json({ settled: true });
  });

  api.get("/switches", (context) => context.json(readSwitches(state)));
  api.put("/switches", async (context) => context.json(writeSwitches(state, await body(context))));
  api.post("/reset", (context) => {
    forgetEverything(network);
    return context.json({ reset: true });
  });

  return api;
}

/** Returns the JSON body; an empty object if there is none or it is not an object. */
async function body<T extends object>(context: Context): Promise<T> {
  const text = await context.req.text();
  try {
    const parsed: unknown = text ? JSON.parse(text) : {};
    return (typeof parsed === "object" && parsed !== null ? parsed : {}) as T;
  } catch {
    return {} as T;
  }
}

function result(context: Context, moved: MoveResult): Response {
  return "row" in moved
    ? context.json(moved.row)
    : refuse(context, moved.refused, moved.refused.startsWith("There is no") ? 404 : 409);
}

function refuse(context: Context, message: string, status: 400 | 404 | 409 = 400): Response {
  return context.json({ error: message }, status);
}
