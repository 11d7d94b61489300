import type { Db } from "@farthing/db/client.ts";
import { DatabaseUnavailableError } from "@farthing/db/unavailable.ts";
import type { RootOperationNode } from "kysely";
import { CardProviderUnavailableError, type CardProvider } from "../payments/provider.ts";
import { IssuerUnavailableError, type CardIssuer } from "./issuer.ts";

export type Service = "issuer" | "cards" | "database";

export const FAULTS = [
  /** The process dies before the call, or after it and before anything is stored. */
  "killed-before",
  "killed-after",
  /** The service refuses the call, once, or from then on for 30 hours. */
  "down",
  "down-for-long",
  /** The call takes effect, and its answer is lost. */
  "times-out-after",
  /** The service carries out the call twice. */
  "twice",
  /** The call is on its way for so long that another worker has done everything else; then it takes effect. */
  "arrives-late",
  /** It takes effect at once, and its answer comes as late. */
  "answers-late",
] as const;
export type Fault = (typeof FAULTS)[number];

/** Thrown where the process dies: whoever catches it does nothing more. */
export class Killed extends Error {}

export interface FaultAt {
  call: number;
  fault: Fault;
}

export interface Faults {
  /** The calls so far, in order: the trace of a run without a fault says which cells there are. */
  calls: Service[];
  plan: FaultAt | null;
  now(): Date;
  /** Lets the rest of the world go on while a call is late. */
  meanwhile(): Promise<void>;
}

const LONG_MS = 30 * 3_600_000;

/** Wraps the services so that the planned call fails as planned. Calls of other workers in between are not counted. */
export function faulty(faults: Faults, services: { db: Db; issuer: CardIssuer; cards: CardProvider }) {
  let downUntil: { service: Service; at: number } | null = null;
  let isLate = false;

  /** Counts a call. Returns how it fails; null: it does not. */
  function begin(service: Service): Fault | null {
    if (downUntil?.service === service && faults.now().getTime() < downUntil.at) throw unavailable(service);
    if (isLate) return null;
    const index = faults.calls.push(service) - 1;
    return faults.plan?.call === index ? faults.plan.fault : null;
  }

  async function call<T>(service: Service, run: () => Promise<T>): Promise<T> {
    const fault = begin(service);
    switch (fault) {
      case null:
        return run();
      case "killed-before":
        throw new Killed();
      case "killed-after":
        await run();
        throw new Killed();
      case "down":
        throw unavailable(service);
      case "down-for-long":
        downUntil = { service, at: faults.now().getTime() + LONG_MS };
        throw unavailable(service);
      case "times-out-after":
        await run();
        throw unavailable(service);
      case "twice":
        await run();
        return run();
      case "arrives-late":
        await late();
        return run();
      case "answers-late": {
        const answer = await run();
        await late();
        return answer;
      }
    }
  }

  async function late(): Promise<void> {
    isLate = true;
    await faults.meanwhile();
    isLate = false;
  }

  // Statements that write outside of a transaction fail as transactions do; within one, the transaction is the call.
  const failing = new Map<object, Fault>();
  const alone = services.db.withPlugin({
    transformQuery({ node, queryId }) {
      if (!writes(node)) return node;
      const fault = begin("database");
      if (fault === "killed-before") throw new Killed();
      if (fault === "down-for-long") downUntil = { service: "database", at: faults.now().getTime() + LONG_MS };
      if (fault === "down" || fault === "down-for-long") throw unavailable("database");
      if (fault !== null) failing.set(queryId, fault);
      return node;
    },
    transformResult({ queryId, result }) {
      const fault = failing.get(queryId);
      if (fault === undefined) return Promise.resolve(result);
      return Promise.reject(fault === "killed-after" ? new Killed() : unavailable("database"));
    },
  });

  const { issuer, cards } = services;
  return {
    db: new Proxy(alone, {
      get(target, name): unknown {
        if (name === "transaction")
          return () => ({
            execute: (work: Parameters<ReturnType<Db["transaction"]>["execute"]>[0]) =>
              call("database", () => services.db.transaction().execute(work)),
          });
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    }),
    issuer: {
      slug: issuer.slug,
      catalogue: () => issuer.catalogue(),
      checkStock: (card) => call("issuer", () => issuer.checkStock(card)),
      issue: (card) => call("issuer", () => issuer.issue(card)),
      reverse: (card) => call("issuer", () => issuer.reverse(card)),
      balance: (card) => issuer.balance(card),
      float: () => issuer.float(),
    } satisfies CardIssuer,
    cards: {
      createCustomer: (request) => call("cards", () => cards.createCustomer(request)),
      createCustomerSession: (request) => call("cards", () => cards.createCustomerSession(request)),
      createPayment: (request) => call("cards", () => cards.createPayment(request)),
      findClientSecret: (id) => call("cards", () => cards.findClientSecret(id)),
      findPayment: (id) => call("cards", () => cards.findPayment(id)),
      cancelPayment: (request) => call("cards", () => cards.cancelPayment(request)),
      refund: (request) => call("cards", () => cards.refund(request)),
      findRefunds: (id) => call("cards", () => cards.findRefunds(id)),
      findDisputes: (id) => call("cards", () => cards.findDisputes(id)),
      startAtBank: (request) => call("cards", () => cards.startAtBank(request)),
      findFee: (id) => call("cards", () => cards.findFee(id)),
      findBalance: () => call("cards", () => cards.findBalance()),
      listDisputedPayments: (request) => call("cards", () => cards.listDisputedPayments(request)),
      readWebhook: (webhook) => cards.readWebhook(webhook),
    } satisfies CardProvider,
  };
}

function writes(node: RootOperationNode): boolean {
  if (node.kind !== "RawNode") return node.kind !== "SelectQueryNode";
  return /^\s*(insert|update|delete)\b/i.test(node.sqlFragments[0] ?? "");
}

function unavailable(service: Service): Error {
  if (service === "issuer") return new IssuerUnavailableError("The issuer does not answer.");
  if (service === "cards") return new CardProviderUnavailableError("planned");
  return new DatabaseUnavailableError(new Error("planned"));
}
