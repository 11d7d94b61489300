import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { PASSWORD, emailOf } from "./seed.ts";

/** A member's browser without script: it keeps cookies, follows no redirect by itself, and tries again where the server does not answer. */
export interface MemberBrowser {
  get(path: string): Promise<Page>;
  post(path: string, form: Readonly<Record<string, string>>): Promise<Page>;
  /** Posts a picture in the field `attachment`, beside other fields. */
  postFile(path: string, fields: Readonly<Record<string, string>>): Promise<Page>;
  /** Sits down at the browser of somebody else: the mark that the club has set there comes along. */
  useMarkOf(other: MemberBrowser): void;
  /** The mark of this browser, where the club has set one. */
  mark(): string | undefined;
  /** Logs in, whether or not a session is open: what changes money asks for a fresh one. */
  logIn(): Promise<void>;
  /** Whether the password opens a session now. */
  canLogIn(): Promise<boolean>;
  /** As `get`, after logging in where the session has ended. */
  getSignedIn(path: string): Promise<Page>;
}

/** An answer as a browser without script has it. */
export interface Page {
  status: number;
  location: string;
  text: string;
}

const TRIES = 60;

export function memberBrowser(appUrl: string, member: number): MemberBrowser {
  const cookies = new Map<string, string>();
  const address = `10.${40 + (member >> 16)}.${(member >> 8) & 255}.${member & 255}`;

  async function ask(method: string, path: string, body: string | Buffer = "", type = FORM): Promise<Page> {
    const headers = {
      "x-forwarded-for": address,
      ...NAVIGATION,
      ...(cookies.size > 0 ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") } : {}),
      ...(method === "POST"
        ? { origin: appUrl, "content-type": type, "content-length": String(Buffer.byteLength(body)) }
        : {}),
    };
    for (let tries = 1; ; tries += 1) {
      try {
        const page = await send(appUrl + path, { method, headers, body });
        if (page.status < 500) {
          for (const line of page.cookies) {
            const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
            if (/Max-Age=0/i.test(line)) cookies.delete(name);
            else cookies.set(name, value);
          }
          return page;
        }
        if (tries === TRIES) throw new Error(`${path} was answered ${page.status}`);
      } catch (error) {
        if (tries === TRIES) throw error;
      }
      await delay(250);
    }
  }
  const get = (path: string) => ask("GET", path);
  const post = (path: string, form: Readonly<Record<string, string>>) =>
    ask("POST", path, String(new URLSearchParams(form)));
  const tryPassword = (): Promise<Page> => {
    for (const name of cookies.keys()) if (name !== MARK) cookies.delete(name); // the browser stays the same
    return post("/login", { email: emailOf(member), password: PASSWORD });
  };
  async function logIn(): Promise<void> {
    const answer = await tryPassword();
    if (answer.status !== 303)
      throw new Error(`The login of member ${member} was answered ${answer.status}: ${answer.text}`);
  }
  return {
    get,
    post,
    async postFile(path, fields) {
      // A machine that is too busy to read a picture in time calls it unreadable.
      for (let tries = 1; ; tries += 1) {
        const page = await ask("POST", path, multipart(fields), `multipart/form-data; boundary=${BOUNDARY}`);
        if (page.status !== 422 || tries === 4) return page;
      }
    },
    mark: () => cookies.get(MARK),
    useMarkOf(other) {
      const mark = other.mark();
      if (mark !== undefined) cookies.set(MARK, mark);
    },
    logIn,
    async canLogIn() {
      return (await tryPassword()).status === 303;
    },
    async getSignedIn(path) {
      const answer = [...cookies.keys()].some((name) => name !== MARK) ? await get(path) : null;
      if (answer && !isToLogin(answer)) return answer;
      await logIn();
      return get(path);
    },
  };
}

function isToLogin({ status, location }: Page): boolean {
  return status >= 300 && status < 400 && location.includes("/login");
}

/** What a browser says of a link that a person followed. */
const NAVIGATION = { "sec-fetch-dest": "document", "sec-fetch-mode": "navigate", "sec-fetch-site": "same-origin" };
const FORM = "application/x-www-form-urlencoded";
/** The cookie by which the club knows a browser again where people invite and join. */
const MARK = "farthing_browser";
const BOUNDARY = "simulated-boundary-5b1f";
/** A grey square. */
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAAAAADhZOFXAAAADklEQVR4nGNogAIGyhgAgIQgAQ2AJGEAAAAASUVORK5CYII=",
  "base64",
);

function multipart(fields: Readonly<Record<string, string>>): Buffer {
  const head = (disposition: string) => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n`;
  return Buffer.concat([
    ...Object.entries(fields).map(([name, value]) => Buffer.from(`${head(`name="${name}"`)}\r\n${value}\r\n`)),
    Buffer.from(`${head('name="attachment"; filename="proof.png"')}Content-Type: image/png\r\n\r\n`),
    PICTURE,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
}
const agent = new Agent({ keepAlive: true, maxSockets: 16 });

function send(
  url: string,
  { method, headers, body }: { method: string; headers: Record<string, string>; body: string | Buffer },
): Promise<Page & { cookies: string[] }> {
  const { promise, resolve, reject } = Promise.withResolvers<Page & { cookies: string[] }>();
  const sent = request(url, { method, headers, agent }, (response) => {
    const parts: Buffer[] = [];
    response.on("data", (part: Buffer) => parts.push(part));
    response.on("error", reject);
    response.on("end", () =>
      resolve({
        status: response.statusCode ?? 0,
        location: response.headers.location ?? "",
        text: String(Buffer.concat(parts)),
        cookies: response.headers["set-cookie"] ?? [],
      }),
    );
  });
  sent.on("error", reject);
  sent.end(body);
  return promise;
}
