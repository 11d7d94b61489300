import { testDatabase } from "@farthing/db/testing/test-database.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { reportedSale } from "../cashback/cashback.testing.ts";
import { creditClaimedSales, recordReportedTransaction } from "../cashback/operations.server.ts";
import { KEY, receivedFile } from "../verification-requests/verification.testing.ts";
import { claim, claimRow, daysAfter, makeClaimClub, memoryFiler, workOnce } from "./claims.testing.ts";
import { addEvidence, appealClaim, withdrawClaim } from "./operations.server.ts";
import { decideClaim } from "./operators.server.ts";
import type { ClaimState } from "./rules.ts";

const { db } = await testDatabase();
const steps = [
  "claim",
  "withdraw",
  "evidence",
  "work",
  "next-day",
  "appeal",
  "accept",
  "decline",
  "ask",
  "operator-asks",
  "report-without-click",
  "report-with-click",
] as const;
type Step = (typeof steps)[number];

/** What the model knows: where the claim stands, what the network holds, and whether the sale was reported and credited. */
interface Model {
  state: ClaimState | "none";
  filings: number;
  /** Whether what is missing was asked for before the claim was sent. */
  isAskedEarly: boolean;
  /** What the network answers when it is asked. */
  answer: "open" | "accepted" | "declined" | "incomplete";
  /** Whether the network's question is answered. */
  answered: boolean;
  sale: "none" | "held" | "credited";
  days: number;
}

test("C7 any order of claims, withdrawals, evidence, answers, appeals and reports agrees with a simple model, and credits a sale at most once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...steps), { minLength: 6, maxLength: 24 }), async (wanted: Step[]) => {
      await db.deleteFrom("claims").execute();
      const club = await makeClaimClub(db);
      const { filer, answers } = memoryFiler();
      const model: Model = {
        ...{ state: "none", filings: 0, isAskedEarly: false, answer: "open", answered: false },
        ...{ sale: "none", days: 10 },
      };
      let publicId = "";
      const now = () => daysAfter(model.days);
      const own = () => ({ brandId: club.brandId, memberId: club.memberId, publicId, now: now() });
      const record = (reference: string | null) =>
        recordReportedTransaction(db, {
          networkId: club.networkId,
          reported: reportedSale(club, reference, { networkTransactionId: `sale-${club.clickNumber}` }),
          now: now(),
        });
      const setAnswer = (answer: Model["answer"]) => {
        model.answer = answer;
        answers.set("ORDER-1", { state: answer, answer: answer === "incomplete" ? "The invoice" : null });
      };
      const credit = () => {
        model.sale = "credited";
        if (["open", "filed", "incomplete", "accepted", "declined"].includes(model.state)) model.state = "credited";
      };
      /** The network is asked once a day at least, so one step of work after a night sees its answer. */
      const work = async () => {
        await workOnce(db, filer, now());
        await creditClaimedSales(db, { now: now() });
        if (model.state === "open") {
          model.filings += 1;
          model.state = "filed";
          take();
        } else if (model.state === "filed" || (model.state === "incomplete" && !model.isAskedEarly)) take();
        if (model.sale === "held" && (model.state === "filed" || model.state === "accepted")) credit();
      };
      const take = () => {
        if (model.answer === "accepted" || model.answer === "declined") model.state = model.answer;
        else if (model.answer === "open") model.state = "filed";
        else if (model.state === "filed" && !model.answered)
          Object.assign(model, { state: "incomplete", isAskedEarly: false });
      };
      const run: Record<Step, () => Promise<void>> = {
        async claim() {
          const made = await claim(db, club, { now: now() });
          const isFree = model.state === "none" || model.state === "withdrawn";
          const expected =
            model.sale === "credited" && (isFree || model.state === "credited")
              ? "tracked"
              : isFree
                ? "made"
                : "already";
          expect(made.outcome).toBe(expected);
          if (made.outcome !== "made") return;
          publicId = made.publicId;
          Object.assign(model, { state: "open", filings: 0, answered: false });
          setAnswer("open");
        },
        async withdraw() {
          const outcome = await withdrawClaim(db, own());
          const can = (model.state === "open" || model.state === "incomplete") && model.filings === 0;
          expect(outcome).toBe(publicId === "" ? "unknown" : can ? "withdrawn" : "too-late");
          if (can) model.state = "withdrawn";
        },
        async evidence() {
          if (publicId === "") return;
          const outcome = await addEvidence(db, { ...own(), file: receivedFile(Buffer.from("x")), key: KEY });
          const isLive = ["open", "filed", "incomplete", "accepted"].includes(model.state);
          expect(isLive ? ["added", "too-many"] : ["over"]).toContain(outcome);
          if (outcome !== "added" || model.state !== "incomplete") return;
          model.state = model.isAskedEarly ? "open" : "filed";
          model.answered = !model.isAskedEarly;
        },
        async work() {
          model.days += 0.6;
          await work();
        },
        async "next-day"() {
          model.days += 1;
        },
        async appeal() {
          if (publicId === "") return;
          const can = model.state === "declined" && model.filings < 2;
          expect(await appealClaim(db, { ...own(), words: "Look again" })).toBe(can ? "appealed" : "too-late");
          if (!can) return;
          Object.assign(model, { state: "open", answered: false });
          setAnswer("open");
        },
        accept: async () => setAnswer("accepted"),
        decline: async () => setAnswer("declined"),
        ask: async () => setAnswer("incomplete"),
        async "operator-asks"() {
          if (model.state !== "open") return;
          const decision = { state: "incomplete", asked: "More" } as const;
          await decideClaim(db, { publicId, decision, by: "op", now: now() });
          Object.assign(model, { state: "incomplete", isAskedEarly: true });
        },
        async "report-without-click"() {
          await record(null);
          // A sale that is held is looked at again by the worker, not by a report that says nothing new.
          if (model.sale !== "none") return;
          model.sale = "held";
          if (model.state === "filed" || model.state === "accepted") credit();
        },
        async "report-with-click"() {
          if (model.sale !== "none") return;
          await record(club.reference);
          credit();
        },
      };
      for (const step of wanted) {
        await run[step]();
        const state = publicId === "" ? "none" : (await claimRow(db, publicId)).state;
        expect(state, `${step} of ${wanted.join(", ")}`).toBe(model.state);
      }
      const entries = await db
        .selectFrom("cashback_entries")
        .select("id")
        .where("member_id", "=", club.memberId)
        .execute();
      expect(entries).toHaveLength(model.sale === "credited" ? 1 : 0);
    }),
    { numRuns: 30 },
  );
}, 120_000);
