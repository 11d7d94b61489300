import type { Context, Hono } from "hono";
import type { Network } from "../network.ts";
import { advertiserOf, campaignId } from "./partnerize-rows.ts";
import { partnerizeDate } from "./partnerize-time.ts";

interface Query {
  transaction_query_id: string;
  transaction_query_type: string;
  campaign_id: string;
  camref: string;
  conversion_reference: string;
  conversion_id: string | null;
  current_state: string;
  notes: string;
  publisher_reference: string;
  created_at: string | null;
  updated_at: string | null;
  state_history: { state: string; notes: string; created_at: string | null }[];
}

const KEY = "partnerize queries";
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  untracked: ["conversion_reference", "camref", "conversion_value", "expected_commission", "conversion_date_time"],
  incorrect_commission: ["conversion_reference", "camref", "expected_commission"],
  declined: ["conversion_reference", "camref"],
};

/** Transaction queries: a publisher creates them in a job and lists them; POST …/tq/{id}/state stands for the brand's own screen. */
export function queryRoutes(app: Hono, network: Network): void {
  const { state } = network;
  const read = <T>(name: string): T[] =>
    JSON.parse(state.one<{ value: string }>("select value from settings where name = ?", name)?.value ?? "[]") as T[];
  const write = (name: string, value: unknown[]): void => {
    state.run(
      "insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value",
      name,
      JSON.stringify(value),
    );
  };
  const now = (): string | null => partnerizeDate(network.now(), "UTC");

  app.get("/user/publisher/:id/tq", (context) => {
    const filters = ["conversion_reference", "campaign_id", "current_state", "transaction_query_id"] as const;
    const found = read<Query>(KEY).filter((query) =>
      filters.every((name) => !context.req.query(name) || context.req.query(name) === query[name]),
    );
    return context.json({
      count: found.length,
      execution_time: "0.08001 seconds",
      transaction_queries: found.map((query) => ({ transaction_query: query })),
    });
  });

  app.post("/user/publisher/:id/tq/create", async (context) => {
    const body: unknown = await context.req.json().catch(() => null);
    const list =
      typeof body === "object" && body !== null && "transaction_queries" in body ? body.transaction_queries : [];
    const wanted = (Array.isArray(list) ? list : []) as Record<string, unknown>[];
    if (wanted.length === 0) return failure(context, "transaction_queries not found");
    const queries = read<Query>(KEY);
    const number = queries.length + 10;
    let refusal: string | null = null;
    for (const one of wanted) {
      const type = String(one["transaction_query_type"]);
      const missing = REQUIRED[type]?.find((name) => one[name] === undefined || one[name] === "");
      const advertiser = /^1011l(\d{1,12})$/.exec(String(one["camref"]))?.[1];
      if (!Object.hasOwn(REQUIRED, type)) refusal = "transaction_query_type is not valid";
      else if (missing !== undefined) refusal = `${missing} is required`;
      else if (!advertiser || !network.catalogue.programme(Number(advertiser))) refusal = "camref is not valid";
      else
        queries.push({
          transaction_query_id: `111111l${number}`,
          transaction_query_type: type,
          campaign_id: campaignId(Number(advertiser)),
          camref: String(one["camref"]),
          conversion_reference: String(one["conversion_reference"]),
          conversion_id: null,
          current_state: "pending",
          notes: String(one["notes"] ?? ""),
          publisher_reference: String(one["publisher_reference"] ?? ""),
          created_at: now(),
          updated_at: now(),
          state_history: [{ state: "pending", notes: "", created_at: now() }],
        });
    }
    write(KEY, queries);
    const jobs = read<string | null>("partnerize jobs");
    write("partnerize jobs", [...jobs, refusal]);
    return context.json({
      execution_time: "1.16076 seconds",
      job: {
        job_id: `111111l${jobs.length}`,
        status: "complete",
        percentage_complete: 100,
        response: `/job/111111l${jobs.length}/response.json`,
        update: `/job/111111l${jobs.length}.json`,
      },
    });
  });

  app.get("/job/:id/response.json", (context) => {
    const refusal = read<string | null>("partnerize jobs")[Number(context.req.param("id").split("l")[1])];
    if (refusal === undefined) return failure(context, "Job could not be found", 404);
    return context.json(
      refusal === null ? { transaction_queries: [] } : { error: { message: refusal, type: "Validation Fail" } },
    );
  });

  app.post("/user/publisher/:id/tq/:query/state", async (context) => {
    const form = new URLSearchParams(await context.req.text());
    const queries = read<Query>(KEY);
    const query = queries.find((one) => one.transaction_query_id === context.req.param("query"));
    const next = form.get("state") ?? "";
    if (!query || !["approved", "rejected"].includes(next)) return failure(context, "state is not valid", 404);
    query.current_state = next;
    query.updated_at = now();
    query.state_history.push({ state: next, notes: form.get("notes") ?? "", created_at: now() });
    write(KEY, queries);
    return context.json({ transaction_query: query });
  });
}

export function failure(context: Context, message: string, status: 400 | 401 | 403 | 404 | 429 = 400): Response {
  return context.json({ error: { fields: {}, message, type: "Validation Fail" } }, status);
}

/** Returns the advertiser of a camref: it stands for the publisher and the campaign together. */
export function advertiserOfCamref(camref: string | undefined): number | null {
  const match = /^1011l(\d{1,12})$/.exec(camref ?? "");
  return match ? Number(match[1]) : advertiserOf(camref);
}
