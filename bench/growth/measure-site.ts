import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import type { MeasuredServer } from "../pages/measured-server.ts";
import type { Addresses, PageKind } from "./addresses.ts";
import type { Reference } from "./reference.ts";
import { sample } from "./samples.ts";
import type { Group, Measured } from "./verdicts.ts";

export interface SiteProbe {
  server: MeasuredServer;
  pool: pg.Pool;
  reference: Reference;
  addresses: Addresses;
  cookie: string;
  /** Requests of each kind. */
  requests: number;
  /** Requests of each kind before those: the first ones compile statements and code. */
  warmUp: number;
}

/** The process hears of a change within a millisecond or two. */
const HEARD_MS = 5;

/**
 * Asks for every kind of page, one request after the other, each as if nobody had asked before. For that, the process is told that the catalogue has
 * changed, and forgets its pages and what they are made of. A page from the cache costs the same at every size.
 */
export async function* measureSite(probe: SiteProbe): AsyncGenerator<Measured> {
  const { visitors, members, clickOut } = probe.addresses;
  for (const kind of visitors) yield await measureKind(probe, "visitors", kind);
  for (const kind of members) yield await measureKind(probe, "members", kind);
  yield await measureKind(probe, "members", clickOut);
}

async function measureKind(probe: SiteProbe, group: Group, kind: PageKind): Promise<Measured> {
  const { server, pool, reference, cookie, requests } = probe;
  const { name, addresses, isAskedOnce } = kind;
  const warmUp = isAskedOnce ? Math.min(probe.warmUp, Math.floor(addresses.length / 4)) : probe.warmUp;
  const count = isAskedOnce ? Math.min(requests, addresses.length - warmUp) : requests;
  const isClick = kind === probe.addresses.clickOut;
  const samples = await sample(
    reference,
    {
      ...{ count, warmUp },
      async before() {
        await pool.query("select pg_notify('site_content', '')");
        await delay(HEARD_MS);
      },
    },
    (turn) =>
      ask(server.url + addresses[turn % addresses.length]!, {
        cookie: group === "members" ? cookie : null,
        isClick,
      }),
  );
  return { group, name, unit: "ms", allowed: "logarithm", samples };
}

let visitor = 0;

const agent = new Agent({ keepAlive: true });

/**
 * Each visitor comes from another address, as through a proxy. Not by fetch(), which says of itself that it is a script: a script's clicks are refused.
 * @throws Error if the answer is not the one that was to be measured
 */
async function ask(url: string, { cookie, isClick }: { cookie: string | null; isClick: boolean }): Promise<void> {
  visitor += 1;
  const headers = {
    "X-Forwarded-For": `10.${(visitor >> 16) & 255}.${(visitor >> 8) & 255}.${visitor & 255}`,
    ...(cookie === null ? {} : { Cookie: cookie }),
  };
  const { status, location } = await new Promise<{ status: number; location: string }>((resolve, reject) => {
    const asked = request(url, { agent, headers }, (answer) => {
      answer
        .on("error", reject)
        .on("end", () => resolve({ status: answer.statusCode ?? 0, location: answer.headers.location ?? "" }));
      answer.resume();
    });
    asked.on("error", reject).end();
  });
  const leadsAway = /^https?:\/\//.test(location);
  if (isClick ? status !== 302 || !leadsAway : status !== 200) throw new Error(`${url} answered ${status} ${location}`);
}
