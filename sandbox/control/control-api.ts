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

/** What the control page does, for tests: JSON in, JSON out. Rows have the columns of the sandbox's tables. */
export function controlApi(network: Network): Hono {
  const api = new Hono();
  const { state, pushes } = network;

  api.get("/transactions", (c) => {
    const wheres: string[] = ["1 = 1"];
    const values: StateValue[] = [];
    for (const [query, column] of [
      ["orderRef", "order_ref"],
      ["clickRef", "click_ref"],
      ["advertiserId", "advertiser_id"],
      ["status", "status"],
    ] as const) {
      const wanted = c.req.query(query);
      if (wanted === undefined) continue;
      wheres.push(`${column} = ?`);
      values.push(column === "advertiser_id" ? Number(wanted) : wanted);
    }
    return c.json(
      state.all<TransactionRow>(
        `select * from transactions where ${wheres.join(" and ")} order by id desc limit 1000`,
        ...values,
      ),
    );
  });

  api.post("/transactions", async (c) => {
    const made = recordSale(network, await body<SaleRequest>(c));
    return "refused" in made ? refuse(c, made.refused) : c.json(made, 201);
  });

  api.get("/transactions/:id", (c) => {
    const row = findTransaction(state, Number(c.req.param("id")));
    return row ? c.json(row) : refuse(c, "There is no such transaction.", 404);
  });

  for (const move of moves) {
    api.post(`/transactions/:id/${move}`, async (c) =>
      result(c, moveTransaction(network, Number(c.req.param("id")), move, await body(c))),
    );
  }
  api.post("/transactions/:id/lose-clickref", (c) => result(c, loseClickRef(state, Number(c.req.param("id")))));
  api.post("/transactions/:id/push", (c) =>
    pushAgain(network, Number(c.req.param("id")))
      ? c.json({ queued: 1 })
      : refuse(c, "There is no such transaction.", 404),
  );

  api.get("/clicks", (c) => c.json(latestClicks(state, 1000)));
  api.get("/pushes", (c) => c.json(pushes.latest(1000)));
  api.post("/pushes/forge", async (c) => c.json(forgePush(network, await body<Partial<PushMessage>>(c)), 201));
  api.post("/pushes/reverse", async (c) =>
    c.json({ queued: pushInReverse(network, Number((await body<{ count?: number }>(c)).count ?? 10)) }),
  );
  api.post("/pushes/hold", (c) => c.json(writeSwitches(state, { holdPushes: true })));
  api.post("/pushes/release", async (c) => {
    const { order } = await body<{ order?: string }>(c);
    writeSwitches(state, { holdPushes: false });
    return c.json({ released: pushes.release(order === "newest first" ? "newest first" : "oldest first") });
  });
  // Answers once nothing that is due is left to send.
  api.post("/pushes/settle", async (c) => {
    await pushes.settled();
    return c.json({ settled: true });
  });

  api.get("/switches", (c) => c.json(readSwitches(state)));
  api.put("/switches", async (c) => c.json(writeSwitches(state, await body(c))));
  api.post("/reset", (c) => {
    forgetEverything(network);
    return c.json({ reset: true });
  });

  return api;
}

/** The JSON body; an empty object for none. A body that is not an object counts as none. */
async function body<T extends object>(c: Context): Promise<T> {
  const text = await c.req.text();
  try {
    const parsed: unknown = text ? JSON.parse(text) : {};
    return (typeof parsed === "object" && parsed !== null ? parsed : {}) as T;
  } catch {
    return {} as T;
  }
}

function result(c: Context, moved: MoveResult): Response {
  return "row" in moved
    ? c.json(moved.row)
    : refuse(c, moved.refused, moved.refused.startsWith("There is no") ? 404 : 409);
}

function refuse(c: Context, message: string, status: 400 | 404 | 409 = 400): Response {
  return c.json({ error: message }, status);
}
