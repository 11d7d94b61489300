import { Hono, type Context } from "hono";
import { readClock, setClock } from "../network/clock.ts";
import { readFaults, writeFaults } from "../network/faults.ts";
import type { Network, Networks } from "../network/network.ts";
import { readSwitches, writeSwitches } from "../network/switches.ts";
import { forgePushAt } from "./control-actions.ts";
import { readBody } from "./read-body.ts";

/** What a scenario sets at once. What it leaves out stays as it is. */
interface Scenario {
  /** ISO 8601; null: the real time. */
  clock?: { at?: unknown; stands?: unknown } | null;
  networks?: Record<string, { faults?: Record<string, unknown>; switches?: Record<string, unknown> }>;
}

/** The clock of the sandbox and what each network does wrong, for tests and simulations. */
export function scenarioApi(networks: Networks, realNow: () => number): Hono {
  const api = new Hono();
  const { state } = networks;
  const stateOf = ({ slug, name, now }: Network) => ({
    slug,
    name,
    now: new Date(now()).toISOString(),
    faults: readFaults(state, slug),
    switches: readSwitches(state, slug),
  });
  const whole = () => ({
    now: new Date(readClock(state, realNow())).toISOString(),
    networks: Object.fromEntries(networks.all.map((network) => [network.slug, stateOf(network)])),
  });

  api.get("/scenario", (context) => context.json(whole()));
  api.put("/scenario", async (context) => {
    const scenario = await readBody<Scenario>(context);
    const unknown = Object.keys(scenario.networks ?? {}).find((slug) => !networks.find(slug));
    if (unknown !== undefined) return noNetwork(context);
    if (scenario.clock !== undefined) {
      const at = scenario.clock === null ? null : Date.parse(String(scenario.clock.at));
      if (at !== null && Number.isNaN(at))
        return context.json({ error: "clock.at must be a time such as 2026-11-20T09:30:00Z." }, 400);
      setClock(state, realNow(), at === null ? null : { at, stands: scenario.clock?.stands === true });
    }
    for (const [slug, { faults, switches }] of Object.entries(scenario.networks ?? {})) {
      if (faults) writeFaults(state, slug, faults);
      if (switches) writeSwitches(state, switches, slug);
    }
    return context.json(whole());
  });

  api.post("/networks/:slug/pushes/forge", (context) => {
    const network = networks.find(context.req.param("slug"));
    if (!network) return noNetwork(context);
    const text = forgePushAt(networks, network);
    return text === null
      ? context.json({ error: `${network.name} sends no pushes.` }, 409)
      : context.json({ text }, 201);
  });
  return api;
}

function noNetwork(context: Context): Response {
  return context.json({ error: "The sandbox plays no network with this slug." }, 404);
}
