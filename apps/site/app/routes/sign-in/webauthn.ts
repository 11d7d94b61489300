/** The browser's passkey dialogs, with options and answers as JSON. WebAuthn's bytes are written as base64url. */

interface CredentialRef {
  id: string;
  type: "public-key";
  transports?: AuthenticatorTransport[];
}

export function hasPasskeys(): boolean {
  return typeof window !== "undefined" && typeof window.PublicKeyCredential === "function";
}

/** Returns whether the browser suggests passkeys in the e-mail field. */
export async function fillsPasskeys(): Promise<boolean> {
  return hasPasskeys() && (await window.PublicKeyCredential.isConditionalMediationAvailable?.()) === true;
}

/** Asks for a passkey and returns the answer as JSON. Rejects where the person closes the dialog or has none. */
export async function askPasskey(
  optionsJson: string,
  { mediation, signal }: { mediation?: "conditional"; signal: AbortSignal },
): Promise<string> {
  const { challenge, ...options } = JSON.parse(optionsJson) as { challenge: string; rpId: string; timeout: number };
  const publicKey = { ...options, challenge: toBytes(challenge), userVerification: "required" as const };
  const credential = await navigator.credentials.get({ publicKey, signal, ...(mediation ? { mediation } : {}) });
  const { id, rawId, type, response } = credential as PublicKeyCredential;
  const { authenticatorData, clientDataJSON, signature, userHandle } = response as AuthenticatorAssertionResponse;
  return JSON.stringify({
    id,
    rawId: toText(rawId),
    type,
    clientExtensionResults: {},
    response: {
      authenticatorData: toText(authenticatorData),
      clientDataJSON: toText(clientDataJSON),
      signature: toText(signature),
      ...(userHandle ? { userHandle: toText(userHandle) } : {}),
    },
  });
}

/** Creates a passkey and returns the answer as JSON. */
export async function makePasskey(optionsJson: string): Promise<string> {
  const options = JSON.parse(optionsJson) as {
    challenge: string;
    user: { id: string; name: string; displayName: string };
    rp: PublicKeyCredentialRpEntity;
    pubKeyCredParams: PublicKeyCredentialParameters[];
    excludeCredentials?: CredentialRef[];
  };
  const credential = await navigator.credentials.create({
    publicKey: {
      ...options,
      challenge: toBytes(options.challenge),
      user: { ...options.user, id: toBytes(options.user.id) },
      excludeCredentials: (options.excludeCredentials ?? []).map((known) => ({ ...known, id: toBytes(known.id) })),
    },
  });
  const { id, rawId, type, response } = credential as PublicKeyCredential;
  const attestation = response as AuthenticatorAttestationResponse;
  return JSON.stringify({
    id,
    rawId: toText(rawId),
    type,
    clientExtensionResults: {},
    response: {
      attestationObject: toText(attestation.attestationObject),
      clientDataJSON: toText(attestation.clientDataJSON),
      transports: attestation.getTransports?.() ?? [],
    },
  });
}

function toBytes(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (sign) => sign.charCodeAt(0));
}

function toText(bytes: ArrayBuffer): string {
  const plain = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join("");
  return btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
