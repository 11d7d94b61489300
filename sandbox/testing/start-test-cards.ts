import { serve } from "@hono/node-server";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Stripe from "stripe";
import type { SandboxOptions } from "../create-sandbox.ts";
import { startTestSandbox, type TestSandbox } from "./start-test-sandbox.ts";

export const cardKeys = { secret: "sk_test_tests", publishable: "pk_test_tests", webhookSecret: "whsec_tests" };

/** The fields of a browser's response that tests read. */
export interface BrowserBody {
  error?: { code?: string; decline_code?: string };
  next_action?: { use_stripe_sdk?: { stripe_js: string }; redirect_to_url?: { url: string } };
  saved?: { id: string; last4: string }[];
}

/** Returns the address of the page that an intent sends its payer to. */
export function questionAddress(body: BrowserBody): string {
  return body.next_action?.use_stripe_sdk?.stripe_js ?? body.next_action?.redirect_to_url?.url ?? "";
}

export interface TestCards {
  test: TestSandbox;
  stripe: Stripe;
  url: string;
  /** The received webhooks, verified by the SDK. */
  events: Stripe.Event[];
  /** The received headers and bodies. */
  raw: { signature: string; body: string }[];
  /** Sets the status of the webhook receiver's further responses. */
  answer(status: number): void;
  /** Calls the API as the browser's script does. */
  browser(method: string, path: string, fields: Record<string, string>): Promise<{ status: number; body: BrowserBody }>;
  settle(): Promise<void>;
  end(): Promise<void>;
}

/** Starts the card provider on a port, with an SDK client for it and a receiver that checks every webhook's signature. */
export async function startTestCards(options: Partial<SandboxOptions> = {}): Promise<TestCards> {
  const events: Stripe.Event[] = [];
  const raw: TestCards["raw"] = [];
  let status = 200;
  const verifier = new Stripe(cardKeys.secret);
  const take = (body: string, signature: string): number => {
    try {
      events.push(verifier.webhooks.constructEvent(body, signature, cardKeys.webhookSecret));
      return 200;
    } catch (error) {
      if (error instanceof Stripe.errors.StripeSignatureVerificationError) return 400;
      throw error;
    }
  };
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      const signature = String(request.headers["stripe-signature"]);
      raw.push({ signature, body });
      response.writeHead(status < 300 ? take(body, signature) : status).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks`;
  const test = await startTestSandbox({ cards: { ...cardKeys, webhookUrl }, ...options });
  const server = serve({ overrideGlobalObjects: false, fetch: test.sandbox.fetch, port: 0, hostname: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    test,
    events,
    raw,
    url,
    stripe: new Stripe(cardKeys.secret, { host: "127.0.0.1", port, protocol: "http", telemetry: false }),
    answer: (next) => {
      status = next;
    },
    browser: async (method, path, fields) => {
      const form = new URLSearchParams(fields);
      const target = new URL(`/v1/${path}`, url);
      if (method === "GET") target.search = String(form);
      const response = await fetch(target, {
        method,
        headers: { Authorization: `Bearer ${cardKeys.publishable}`, Origin: "https://partner.example" },
        ...(method === "GET" ? {} : { body: form }),
      });
      return { status: response.status, body: (await response.json()) as BrowserBody };
    },
    settle: async () => {
      await test.json("POST", "/control/cards/webhooks/settle");
    },
    end: async () => {
      server.close();
      if ("closeAllConnections" in server) server.closeAllConnections();
      await test.end();
      receiver.close();
      receiver.closeAllConnections();
    },
  };
}

/** Returns the fields that a browser sends for a new card. */
export function newCard(number: string, more: Record<string, string> = {}): Record<string, string> {
  return {
    "payment_method_data[type]": "card",
    "payment_method_data[card][number]": number,
    "payment_method_data[card][exp_month]": "12",
    "payment_method_data[card][exp_year]": "40",
    "payment_method_data[card][cvc]": "123",
    use_stripe_sdk: "true",
    ...more,
  };
}
