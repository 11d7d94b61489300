import type { Step } from "./plan.ts";
import type { PlannedFriend } from "./plan-friends.ts";
import { emailOf, MEMBER_STATUS, MEMBER_TYPE, PASSWORD } from "./seed.ts";
import { bonusesOf, memberName } from "./truth.ts";
import type { World } from "./world.ts";

/** Members hand on their link, and friends join by it: over HTTP, with the confirmation mail and a proof of membership that the operator accepts. */
export class Inviting {
  readonly #world: World;
  readonly #friends: readonly PlannedFriend[];

  constructor(world: World, friends: readonly PlannedFriend[]) {
    this.#world = world;
    this.#friends = friends;
  }

  /** Returns who takes part: their accounts are never suspended, so that each invitation counts. */
  get people(): ReadonlySet<number> {
    return new Set(this.#friends.flatMap(({ member, inviter }) => [member, inviter]));
  }

  async join(step: Step): Promise<void> {
    for (const friend of this.#friends.filter(({ joinStep }) => joinStep === step.index)) await this.#joinOne(friend);
  }

  async #joinOne({ member, inviter, sharesBrowser }: PlannedFriend): Promise<void> {
    const { browser, ...own } = this.#world.members[member]!;
    const from = this.#world.members[inviter]!.browser;
    const { text } = await from.getSignedIn("/money/friends");
    const link = /id="own-link"[^>]*>\s*([^<\s]+)/.exec(text)?.[1];
    if (link === undefined) throw new Error(`${memberName(inviter)} reads no link of their own.`);
    if (sharesBrowser) {
      browser.useMarkOf(from);
      this.#world.tally.add("a friend joined in the inviter's browser", 1);
    }
    const { pathname } = new URL(link, this.#world.stack.appUrl);
    const page = await browser.get(pathname);
    if (page.status !== 200) throw new Error(`The link of ${memberName(inviter)} was answered ${page.status}.`);
    await this.#expect(
      "step one",
      browser.post("/register", {
        member_type: MEMBER_TYPE,
        member_status: MEMBER_STATUS,
        ...{ email: emailOf(member), email_confirmation: emailOf(member) },
        ...{ password: PASSWORD, password_confirmation: PASSWORD },
      }),
    );
    const joinedAt = this.#world.stack.now();
    const birth = { dob_day: "29", dob_month: "2", dob_year: "1988" };
    await this.#expect(
      "step two",
      browser.post("/register/details", {
        ...{ member_type: MEMBER_TYPE, member_status: MEMBER_STATUS, name: memberName(member) },
        ...{ ...birth, residence: "GB", terms: "yes" },
      }),
    );
    // The sandbox's mailbox has no TLS, without which no deployment sends mail: what the outbox holds is read there.
    const token = await this.#world.books.confirmationToken(emailOf(member));
    await this.#expect("the confirmation", browser.post("/confirm-email", { token }));
    await browser.logIn();
    await this.#expect("the proof", browser.postFile("/verification", {}));
    await this.#world.operator.acceptProof(memberName(member));
    this.#world.members[member]!.hasJoined = true;
    if (own.hasJoined) throw new Error(`${memberName(member)} joined twice.`);
    this.#world.invitations.push({ friend: member, inviter, joinedAt, hold: sharesBrowser ? "held" : "none" });
    this.#world.tally.friends += 1;
  }

  async #expect(what: string, asked: Promise<{ status: number; location: string; text: string }>): Promise<void> {
    const { status, text } = await asked;
    if (status !== 303) throw new Error(`Registration: ${what} was answered ${status}: ${wordsOf(text)}`);
  }

  /** The operator looks at what is held once it is worth money. */
  async decideHolds(): Promise<void> {
    for (const invitation of this.#world.invitations.filter(({ hold }) => hold === "held")) {
      if (bonusesOf(this.#world.sales, [{ ...invitation, hold: "none" }]).length === 0) continue;
      const { verdict } = this.#friends.find(({ member }) => member === invitation.friend)!;
      const wasHeld = await this.#world.operator.decideReferral(
        await this.#world.books.memberNumber(memberName(invitation.friend)),
        verdict,
      );
      if (!wasHeld)
        this.#world.differences.push({
          what: "payout",
          text: `${memberName(invitation.friend)} joined in the browser of ${memberName(invitation.inviter)}, and nothing is held`,
        });
      invitation.hold = verdict === "lift" ? "none" : "refused";
      this.#world.tally.add(
        `a shared browser's bonuses were ${verdict === "lift" ? "paid after a look" : "refused"}`,
        1,
      );
    }
  }
}

/** Returns what a page says, for an error that a person reads. */
function wordsOf(html: string): string {
  return (/<main[\s\S]*<\/main>/.exec(html)?.[0] ?? html)
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .slice(0, 600);
}
