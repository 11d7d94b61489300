import { ClaimRefusedError, type ClaimFiler, type ClaimToFile } from "@farthing/core/networks/claim-filer.ts";
import { NetworkUnavailableError } from "@farthing/core/networks/provider.ts";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import type { TestSandbox } from "../../../sandbox/testing/start-test-sandbox.ts";

/** What a network's tests provide to the suite that all claim filers share. The sandbox plays the network. */
export interface ClaimHarness {
  name: string;
  sandbox(): TestSandbox;
  /** Creates the filer; requests go to the sandbox by default. */
  create(replaced?: typeof fetch): ClaimFiler;
  /** A claim of an untracked purchase at a programme of the sandbox. */
  claim: ClaimToFile;
  /** Something that the network does not accept. */
  refused: Partial<ClaimToFile>;
  /** Answers a claim as the retailer would. */
  resolve(networkClaimId: string, decision: "accepted" | "declined", reason: string): Promise<void>;
  /** Whether the network says when it approves a claim by itself. */
  approvesByItself: boolean;
  secrets: readonly string[];
}

/** Tests the contract of ClaimFiler (C7). */
export function claimContract(harness: ClaimHarness): void {
  const claimWith = (claimReference: string, different: Partial<ClaimToFile> = {}): ClaimToFile => ({
    ...harness.claim,
    orderReference: `${claimReference}-order`,
    claimReference,
    ...different,
  });

  describe(`C7 ${harness.name}: claims`, () => {
    test("C7 a claim is filed and found again, with its id", async () => {
      const filer = harness.create();
      const claim = claimWith("claim-0000000001");
      expect(await filer.readClaim(claim)).toBeNull();
      const filed = await filer.fileClaim(claim);
      expect(filed).toMatchObject({ claimReference: claim.claimReference, state: "open", answer: null });
      expect(filed.networkClaimId).toMatch(/^\w+$/);
      expect(filed.autoApprovesAt !== null).toBe(harness.approvesByItself);
      expect(await filer.readClaim(claim)).toEqual(filed);
    });

    test("C7 a claim that is filed again is the same one", async () => {
      const filer = harness.create();
      const claim = claimWith("claim-0000000002");
      const first = await filer.fileClaim(claim);
      expect(await filer.fileClaim(claim)).toEqual(first);
    });

    test("C7 a claim whose answer was lost is not filed twice", async () => {
      const { sandbox } = harness.sandbox();
      let posts = 0;
      const filer = harness.create(async (input, init) => {
        const request = new Request(input, init);
        const isPost = request.method === "POST";
        const response = await sandbox.fetch(request);
        if (!isPost) return response;
        posts += 1;
        throw new TypeError("fetch failed");
      });
      const claim = claimWith("claim-0000000003");
      await expect(filer.fileClaim(claim)).rejects.toThrow(NetworkUnavailableError);
      expect(await filer.fileClaim(claim)).toMatchObject({ state: "open", networkClaimId: expect.any(String) });
      expect(posts).toBe(1);
    });

    test("C7 an appeal about the same order is a claim of its own", async () => {
      const filer = harness.create();
      const claim = claimWith("claim-0000000004");
      const first = await filer.fileClaim(claim);
      await harness.resolve(first.networkClaimId!, "declined", "Other");
      const appeal = { ...claim, claimReference: "claim-0000000005", kind: "declined" as const };
      const second = await filer.fileClaim(appeal);
      expect(second.networkClaimId).not.toBe(first.networkClaimId);
      expect([(await filer.readClaim(claim))!.state, second.state]).toEqual(["declined", "open"]);
    });

    test("C7 the retailer's decision and words are read", async () => {
      const filer = harness.create();
      const [won, lost] = [claimWith("claim-0000000006"), claimWith("claim-0000000007")];
      await harness.resolve((await filer.fileClaim(won)).networkClaimId!, "accepted", "");
      await harness.resolve(
        (await filer.fileClaim(lost)).networkClaimId!,
        "declined",
        `Transaction cannot be traced ${harness.secrets.join(" ")}`,
      );
      expect(await filer.readClaim(won)).toMatchObject({ state: "accepted", answer: null });
      const answer = await filer.readClaim(lost);
      expect(answer).toMatchObject({
        state: "declined",
        answer: expect.stringMatching(/^Transaction cannot be traced/),
        reason: "not_found",
      });
      for (const secret of harness.secrets) expect(answer!.answer).not.toContain(secret);
    });

    test("C7 each kind of claim is accepted", async () => {
      const filer = harness.create();
      for (const kind of filer.kinds)
        expect((await filer.fileClaim(claimWith(`claim-kind-${kind}`, { kind }))).state).toBe("open");
    });

    test("C7 what the network does not accept is refused, with nothing of its answer", async () => {
      const claim = claimWith("claim-0000000008", harness.refused);
      const error: unknown = await harness
        .create()
        .fileClaim(claim)
        .catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ClaimRefusedError);
    });

    test.each<[string, () => Response | Promise<Response>]>([
      ["is down", () => Promise.reject(new TypeError(harness.secrets.join(" ")))],
      ["has a fault", () => new Response(harness.secrets.join(" "), { status: 502 })],
      ["answers with something else", () => Response.json({ message: harness.secrets.join(" ") })],
      ["stops half way", () => new Response(`{"x": "${harness.secrets.join(" ")}`)],
    ])("R1 nothing is known, and no secret shown, when the network %s", async (_, answer) => {
      const filer = harness.create(async () => answer());
      const claim = claimWith("claim-0000000009");
      for (const attempt of [filer.readClaim(claim), filer.fileClaim(claim)]) {
        const error: unknown = await attempt.catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(NetworkUnavailableError);
        for (const secret of harness.secrets) expect(inspect(error, { depth: 10 })).not.toContain(secret);
      }
    });
  });
}
