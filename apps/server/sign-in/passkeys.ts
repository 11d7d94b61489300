import { countPasskeyTry, forgiveTry } from "@farthing/core/sign-in/login-tries.server.ts";
import { spendChallenge } from "@farthing/core/sign-in/passkey-challenges.server.ts";
import { addPasskey, findPasskey, listCredentialIds, notePasskeyUse } from "@farthing/core/sign-in/passkeys.server.ts";
import { findSignInOf } from "@farthing/core/sign-in/find-sign-in.server.ts";
import type { AccountServices, LogInResult, PasskeyAnswer } from "@farthing/site/server/account-services.ts";
import type { Visit } from "@farthing/site/server/visit.ts";
import {
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
} from "@simplewebauthn/server";
import type { AccountParts } from "./account-parts.ts";
import { openSession, openSessionAtLogIn, type Proved } from "./open-session.ts";
import { attemptAt } from "./try-password.ts";
import { CHALLENGE_MS, readChallenge, signedChallenge, type ChallengeFor } from "./passkey-challenge.ts";

/** COSE identifiers of Ed25519, P-256 and RSA. Every device supports one of them. */
const algorithms = [-8, -7, -257];

const MAX_JSON_LENGTH = 20_000;

/**
 * Adds passkeys and logs in with them, by @simplewebauthn/server. A passkey belongs to the host that it was created on
 * (WebAuthn's relying party), so it never works for another brand. User verification is required, so a passkey counts
 * as both steps of a login.
 */
export function passkeyFlow(
  parts: AccountParts,
): Pick<
  AccountServices,
  "askForPasskey" | "logInWithPasskey" | "confirmWithPasskey" | "prepareNewPasskey" | "addPasskey"
> {
  const { db, key, now } = parts;

  return {
    askForPasskey(visit) {
      const wanted = wantedOf(visit, visit.member ? "confirm" : "log-in");
      const { challenge, signed } = signedChallenge(key, wanted, now());
      const options = { challenge, rpId: rpIdOf(visit), userVerification: "required", timeout: CHALLENGE_MS };
      return { optionsJson: JSON.stringify(options), challenge: signed };
    },

    async logInWithPasskey(visit, request, answer) {
      const attempt = attemptAt(parts, visit, request, { account: "passkey", signIn: null });
      const wait = await countPasskeyTry(db, attempt);
      if (wait > 0) return { outcome: "slow-down", retryAfterSeconds: wait };
      const proved = await answeringMember(visit, wantedOf({ ...visit, member: null }, "log-in"), answer);
      const signIn = proved && (await findSignInOf(db, { brandId: visit.brand.id, memberId: proved.memberId }));
      if (proved === null || signIn === null) return { outcome: "refused" };
      await forgiveTry(db, attempt);
      const headers = await openSessionAtLogIn(parts, visit, request, { ...proved, email: signIn.email });
      return headers === null ? { outcome: "refused" } : { outcome: "logged-in", headers, memberId: proved.memberId };
    },

    async confirmWithPasskey(visit, request, answer): Promise<LogInResult> {
      const proved = await answeringMember(visit, wantedOf(visit, "confirm"), answer);
      if (visit.member === null || proved?.memberId !== visit.member.id) return { outcome: "refused" };
      const headers = await openSession(parts, visit, request, proved);
      return headers === null ? { outcome: "refused" } : { outcome: "logged-in", headers, memberId: proved.memberId };
    },

    async prepareNewPasskey(visit) {
      const wanted = wantedOf(visit, "register");
      const { challenge, signed } = signedChallenge(key, wanted, now());
      const known = await listCredentialIds(db, wanted);
      const options = await generateRegistrationOptions({
        rpName: visit.brand.name,
        rpID: rpIdOf(visit),
        userName: visit.member?.email ?? "",
        userDisplayName: visit.member?.name ?? "",
        userID: new TextEncoder().encode(wanted.memberId),
        challenge: Uint8Array.from(Buffer.from(challenge, "base64url")),
        attestationType: "none",
        excludeCredentials: known,
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
        supportedAlgorithmIDs: algorithms,
        timeout: CHALLENGE_MS,
      });
      return { optionsJson: JSON.stringify(options), challenge: signed };
    },

    async addPasskey(visit, { challenge: signed, answerJson, name }) {
      const wanted = wantedOf(visit, "register");
      const challenge = await takeChallenge(wanted, signed);
      const response = readJson<RegistrationResponseJSON>(answerJson);
      if (visit.member === null || challenge === null || response === null) return { outcome: "refused" };
      const { verified, registrationInfo } = await orRefused(
        verifyRegistrationResponse({
          response,
          supportedAlgorithmIDs: algorithms,
          ...expectationsOf(visit, challenge),
        }),
        { verified: false, registrationInfo: null } as const,
      );
      if (!verified || !registrationInfo) return { outcome: "refused" };
      const { id, publicKey, counter, transports } = registrationInfo.credential;
      const isAdded = await addPasskey(db, {
        brandId: wanted.brandId,
        memberId: wanted.memberId,
        sessionId: visit.member.sessionId,
        credentialId: id,
        publicKey: Buffer.from(publicKey).toString("base64url"),
        counter,
        transports: readTransports(transports),
        name,
        now: now(),
      });
      return { outcome: isAdded ? "added" : "refused" };
    },
  };

  /** Returns the member whose passkey answered our challenge. Null, whatever is wrong. */
  async function answeringMember(visit: Visit, wanted: ChallengeFor, answer: PasskeyAnswer): Promise<Proved | null> {
    const challenge = await takeChallenge(wanted, answer.challenge);
    const response = readJson<AuthenticationResponseJSON>(answer.answerJson);
    if (challenge === null || response === null || typeof response.id !== "string") return null;
    const passkey = await findPasskey(db, { brandId: wanted.brandId, credentialId: response.id });
    if (passkey === null) return null;
    const credential = {
      id: response.id,
      publicKey: Uint8Array.from(Buffer.from(passkey.publicKey, "base64url")),
      counter: passkey.counter,
      transports: passkey.transports,
    };
    const { verified, authenticationInfo } = await orRefused(
      verifyAuthenticationResponse({ response, credential, ...expectationsOf(visit, challenge) }),
      { verified: false, authenticationInfo: null } as const,
    );
    if (!verified || !authenticationInfo) return null;
    const isFresh = await notePasskeyUse(db, { id: passkey.id, counter: authenticationInfo.newCounter, now: now() });
    const { memberId, deviceGeneration } = passkey;
    return isFresh ? { memberId, deviceGeneration } : null;
  }

  /** Spends a challenge and returns it. A second answer to it is refused, right or wrong. */
  async function takeChallenge(wanted: ChallengeFor, signed: string): Promise<string | null> {
    const read = readChallenge(key, wanted, { signed, now: now() });
    return read && (await spendChallenge(db, read)) ? read.challenge : null;
  }
}

function wantedOf({ brand, member }: Visit, purpose: ChallengeFor["purpose"]): ChallengeFor {
  return { brandId: brand.id, memberId: purpose === "log-in" ? "" : (member?.id ?? ""), purpose };
}

function expectationsOf(visit: Visit, expectedChallenge: string) {
  return {
    expectedChallenge,
    expectedOrigin: visit.origin,
    expectedRPID: rpIdOf(visit),
    requireUserVerification: true,
  };
}

function rpIdOf({ origin }: Visit): string {
  return new URL(origin).hostname;
}

/** Returns the names of transports in what a browser sent, which the library passes on unchecked. They are hints: what is none is left out. */
function readTransports(sent: unknown): string[] {
  if (!Array.isArray(sent)) return [];
  return sent
    .filter((transport): transport is string => typeof transport === "string" && /^[a-z-]{1,20}$/.test(transport))
    .slice(0, 8);
}

/** Returns the object in JSON that a browser posted; null for anything else, or for text that is too long. */
function readJson<T>(text: string): T | null {
  if (text.length > MAX_JSON_LENGTH) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as T) : null;
  } catch {
    return null;
  }
}

/** The library throws for malformed and for wrong answers. Both are refusals. */
async function orRefused<T, Refused>(verification: Promise<T>, refused: Refused): Promise<T | Refused> {
  try {
    return await verification;
  } catch {
    return refused;
  }
}
