import { randomBytes } from "node:crypto";
import path from "node:path";
import { testPassword } from "@farthing/server/sign-in/accounts.testing.ts";
import { MeasuredServer } from "../pages/measured-server.ts";
import { measuredMember } from "./make-club.ts";

const PORT = 4808;
/** How often the start is looked at: what is measured is right within this. */
const LOOK_MS = 10;

/** Random, as settings have to be; the same at every start of a run. */
const secrets = Array.from({ length: 3 }, () => randomBytes(32).toString("hex"));

export const METRICS_TOKEN = randomBytes(32).toString("hex");

/**
 * Starts our process as one with the role `web` is deployed: built, production, behind a proxy. The worker's jobs would run between the requests. Mail
 * is not sent, and Awin is only linked to.
 */
export async function startApp({
  databaseUrl,
  scratch,
  settings = {},
}: {
  databaseUrl: string;
  scratch: string;
  /** Other settings, or others than these. */
  settings?: NodeJS.ProcessEnv;
}): Promise<{ server: MeasuredServer; startMs: number }> {
  const from = performance.now();
  const server = new MeasuredServer({
    command: process.execPath,
    args: ["apps/server/main.ts"],
    cwd: path.resolve(import.meta.dirname, "../.."),
    port: PORT,
    env: {
      NODE_ENV: "production",
      FARTHING_ENV: "production",
      FARTHING_SECRET: secrets[0],
      ROLES: "web",
      PORT: String(PORT),
      DATA_DIR: scratch,
      DATABASE_URL: databaseUrl,
      TRUST_PROXY: "loopback",
      PUBLIC_SCHEME: "http",
      LOG_LEVEL: "error",
      DRAIN_SECONDS: "0",
      SMTP_URL: "smtp://127.0.0.1:9",
      MAIL_FROM: "club@bench.example",
      AWIN_PUBLISHER_ID: "100001",
      AWIN_API_TOKEN: secrets[1],
      AWIN_PUSH_SECRET: secrets[2],
      ...settings,
    },
  });
  try {
    await server.ready("/readyz", { everyMs: LOOK_MS });
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { server, startMs: performance.now() - from };
}

/** Logs the measured member in and returns the cookie. */
export async function logIn(server: MeasuredServer): Promise<string> {
  const answer = await fetch(`${server.url}/login`, {
    method: "POST",
    redirect: "manual",
    headers: { Origin: server.url },
    body: new URLSearchParams({ email: measuredMember.email, password: testPassword }),
  });
  await answer.arrayBuffer();
  const cookie = answer.headers.getSetCookie()[0]?.split(";")[0];
  if (!cookie || answer.status >= 400) throw new Error(`The measured member could not log in: ${answer.status}`);
  return cookie;
}
