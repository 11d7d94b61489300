import { existsSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createCrashLoop } from "./crash-loop.mjs";
import { findNode } from "./find-node.mjs";
import { startPart } from "./stack-part.mjs";
import { Trouble } from "./step.mjs";

/** @typedef {import("./stack-part.mjs").StackPart} StackPart */

/** @typedef {{ url: string, name: string, audience: string }} BrandAddress a brand and the address that its e-mails link to */

/**
 * @typedef {object} StackOptions
 * @property {number} port the port of the members' sites; the sandbox uses the next one, the demo partner the one after
 * @property {string} dataDir absolute path of the folder for database, catalogue and uploads
 * @property {NodeJS.ProcessEnv} [env] overrides settings
 * @property {boolean} [sandbox] whether the stack includes the sandbox; false to use the real networks
 * @property {boolean} [outliveCrashes] only reports a crash: in development the next change restarts the part
 * @property {boolean} [restartCrashed] restarts a part that crashes, unless it crashes repeatedly (crash-loop.mjs)
 * @property {{ server?: string, sandbox?: string, database?: string }} [programs] replace the real programs
 * @property {(line: string, part: string) => void} onLine called with every line that a part prints
 */

/**
 * @typedef {object} Stack
 * @property {string} url the default brand's address
 * @property {string} sandboxUrl
 * @property {string} partnerUrl the demo partner's shop, which the sandbox plays
 * @property {Promise<never>} broken rejects with a message when a part crashes and is not restarted
 * @property {Promise<BrandAddress[]>} brands the brands that the server has told when it was first ready
 * @property {() => Promise<void>} ready resolves when GET /readyz answers 200 and the sandbox answers
 * @property {(name: string) => Promise<void>} restart one part, "server" or "sandbox"
 * @property {() => Promise<void>} stop
 * @property {() => void} kill
 */

/** The sandbox's SMTP port is the stack's port plus this, which resembles SMTP's port 25. */
const MAIL_OFFSET = 25;

/** The demo partner's API key, from apps/server/development/seed-partners.ts. Development only. */
const PARTNER_KEY = "fpk_demoshop_development-only-key-do-not-use-elsewhere00";

/**
 * Returns the ports that a stack listens on.
 * @param {number} port @param {boolean} sandbox
 */
export const stackPorts = (port, sandbox) => [
  { port, use: "the members' sites" },
  ...(sandbox
    ? [
        { port: port + 1, use: "the sandbox" },
        { port: port + 2, use: "the demo partner" },
        { port: port + MAIL_OFFSET, use: "the sandbox's mail" },
      ]
    : []),
];

/** @param {string} url @returns {Promise<number>} the status; 0 if there is no answer */
function statusOf(url) {
  return new Promise((resolve) => {
    const request = get(url, { timeout: 5000, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on("timeout", () => request.destroy());
    request.on("error", () => resolve(0));
  });
}

/**
 * Returns the settings of a stack. They point the server at the sandbox through the ordinary settings of networks, cards and mail, so the server does
 * not know that it is the sandbox.
 * @param {Omit<StackOptions, "onLine">} options
 */
export function stackSettings({ port, dataDir, env = {}, sandbox = true }) {
  const url = `http://localhost:${port}`;
  const sandboxUrl = `http://localhost:${port + 1}`;
  const partnerUrl = `http://localhost:${port + 2}`;
  const network = {
    AWIN_PUBLISHER_ID: "100001",
    AWIN_API_TOKEN: "development-token",
    AWIN_API_URL: `${sandboxUrl}/awin`,
    AWIN_CLICK_URL: `${sandboxUrl}/awin/cread.php`,
    AWIN_PUSH_SECRET: "development-push-secret",
    AWIN_CALLS_PER_MINUTE: "1200", // the sandbox has no limit by default
    AWIN_POLL_SECONDS: "3",
    CJ_CALLS_PER_MINUTE: "1200",
    CJ_POLL_SECONDS: "3",
    RAKUTEN_CALLS_PER_MINUTE: "1200",
    RAKUTEN_POLL_SECONDS: "3",
    IMPACT_POLL_SECONDS: "3",
    PARTNERIZE_POLL_SECONDS: "3",
  };
  const cards = {
    STRIPE_SECRET_KEY: "sk_test_sandbox",
    STRIPE_PUBLISHABLE_KEY: "pk_test_sandbox",
    STRIPE_WEBHOOK_SECRET: "whsec_sandbox",
    STRIPE_API_URL: sandboxUrl,
  };
  const mail = { SMTP_URL: `smtp://localhost:${port + MAIL_OFFSET}`, MAIL_FROM: "club@farthing.example" };
  /** @type {NodeJS.ProcessEnv} */
  const server = {
    FARTHING_ENV: "dev",
    ...(sandbox ? { ...network, ...cards, ...mail } : {}),
    ...process.env,
    NODE_ENV: "production", // for React's speed; FARTHING_ENV sets the kind of deployment
    ...env,
    PORT: String(port),
    DATA_DIR: dataDir,
  };
  return {
    url,
    sandboxUrl,
    partnerUrl,
    server,
    sandbox: {
      ...server,
      SANDBOX_PORT: String(port + 1),
      SANDBOX_SMTP_PORT: String(port + MAIL_OFFSET),
      CATALOGUE_DIR: join(dataDir, "catalogue"),
      PUSH_URL: `${url}/webhooks/awin/${server.AWIN_PUSH_SECRET}`,
      SANDBOX_CARD_WEBHOOK_URL: `${url}/webhooks/stripe`,
      PARTNER_PORT: String(port + 2),
      PARTNER_API_KEY: PARTNER_KEY,
      SERVICE_URL: url,
    },
  };
}

/**
 * Creates and fills the database of a first start. The server would do so itself; here it needs no time of its own beside the builds. Resolves also
 * where it fails: then the server tries again, and says what is wrong.
 * @param {StackOptions} options
 */
export async function prepareDatabase(options) {
  const { server: env } = stackSettings(options);
  const isFirst = !env["DATABASE_URL"] && !existsSync(join(options.dataDir, "postgres"));
  if (!(options.sandbox ?? true) || !isFirst) return;
  const file = options.programs?.database ?? "apps/server/development/prepare-database.ts";
  const onLine = (/** @type {string} */ line) => options.onLine(line, "database");
  await startPart({ name: "database", node: findNode(), file, env, onLine }).ended;
}

/**
 * Starts the server and the sandbox. They are not ready when this returns: await `ready()`.
 * @param {StackOptions} options
 * @returns {Stack}
 */
export function startStack(options) {
  const node = findNode();
  const settings = stackSettings(options);
  let stopping = false;
  /** @type {(reason: Trouble) => void} */
  let breakStack = () => {};
  /** @type {Promise<never>} */
  const broken = new Promise((_, reject) => (breakStack = reject));
  broken.catch(() => {}); // callers that race against it get the reason; without one, this is no unhandled rejection

  /** @type {(brands: BrandAddress[]) => void} */
  let tellBrands = () => {};
  /** @type {Promise<BrandAddress[]>} */
  const brands = new Promise((resolve) => (tellBrands = resolve));
  /** @param {unknown} message as apps/server/brands/brand-addresses.ts describes it */
  const onMessage = (message) => {
    if (message && typeof message === "object" && "brands" in message)
      tellBrands(/** @type {{ brands: BrandAddress[] }} */ (message).brands);
  };

  const plans = {
    server: { file: options.programs?.server ?? "apps/server/main.ts", env: settings.server },
    ...((options.sandbox ?? true) && {
      sandbox: { file: options.programs?.sandbox ?? "sandbox/main.ts", env: settings.sandbox },
    }),
  };
  const answers = async (/** @type {string} */ name) =>
    name === "server"
      ? (await statusOf(`${settings.url}/readyz`)) === 200
      : (await statusOf(settings.sandboxUrl)) !== 0 && (await statusOf(`${settings.partnerUrl}/mark.svg`)) !== 0;
  const crashLoops = new Map(Object.keys(plans).map((name) => [name, createCrashLoop({ name })]));
  /** @type {Map<string, StackPart>} */
  const parts = new Map();
  /**
   * Returns whether a part is ready, and tells its crash loop so. Every caller records what it saw: a part that ends as soon as `ready()` has resolved
   * was ready.
   * @param {string} name
   */
  const isReady = async (name) => {
    const part = parts.get(name);
    if (!(await answers(name)) || !part?.isRunning()) return false;
    crashLoops.get(name)?.ready();
    return true;
  };
  /** @param {string} name @param {StackPart} part */
  const watch = async (name, part) => {
    while (part.isRunning() && !(await isReady(name))) await delay(100);
  };
  /** @param {string} name */
  const launch = (name) => {
    const plan = new Map(Object.entries(plans)).get(name);
    if (!plan || stopping) return;
    const part = startPart({ name, node, ...plan, onLine: (line) => options.onLine(line, name), onMessage });
    parts.set(name, part);
    const crashLoop = options.restartCrashed ? crashLoops.get(name) : undefined;
    if (crashLoop) void watch(name, part);
    void part.ended.then((how) => {
      if (stopping || parts.get(name) !== part) return;
      if (options.outliveCrashes) return options.onLine(`${how}; the next change restarts it`, name);
      const reason = crashLoop ? crashLoop.ended(how) : `The ${name} ${how}`;
      if (reason !== null) return breakStack(new Trouble(`${reason}: everything is stopped.`));
      options.onLine(`${how}; restarting it`, name);
      launch(name);
    });
  };
  for (const name of Object.keys(plans)) launch(name);

  const ready = async () => {
    const waiting = async () => {
      for (const name of Object.keys(plans)) while (!(await isReady(name))) await delay(100);
    };
    await Promise.race([waiting(), broken]);
  };
  /** @param {string} name */
  const restart = async (name) => {
    const part = parts.get(name);
    parts.delete(name);
    await part?.stop();
    launch(name);
  };
  const stop = async () => {
    stopping = true;
    await Promise.all([...parts.values()].map((part) => part.stop()));
  };
  const kill = () => {
    stopping = true;
    for (const part of parts.values()) part.kill();
  };
  const { url, sandboxUrl, partnerUrl } = settings;
  return { url, sandboxUrl, partnerUrl, broken, brands, ready, restart, stop, kill };
}
