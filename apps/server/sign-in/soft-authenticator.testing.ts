import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest();
const text = (data: Buffer | Uint8Array) => Buffer.from(data).toString("base64url");

interface CeremonyOptions {
  challenge: string;
  rpId: string;
  origin: string;
}

/** Returns a software passkey. It answers as browsers do, and wrongly where a test asks for that. */
export function softAuthenticator() {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const jwk = publicKey.export({ format: "jwk" });
  const id = randomBytes(16);
  let counter = 0;

  const clientData = (type: string, { challenge, origin }: CeremonyOptions) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

  /** Flags: present 1, verified 4, attested credential 64. */
  function authenticatorData(rpId: string, flags: number, credential = Buffer.alloc(0)): Buffer {
    counter += 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, credential]);
  }

  return {
    id: text(id),

    create(asked: CeremonyOptions, { isVerified = true } = {}): string {
      const key = isoCBOR.encode(
        new Map<number, number | Uint8Array>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Uint8Array.from(Buffer.from(jwk.x ?? "", "base64url"))],
          [-3, Uint8Array.from(Buffer.from(jwk.y ?? "", "base64url"))],
        ]),
      );
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const credential = Buffer.concat([Buffer.alloc(16), length, id, Buffer.from(key)]);
      const authData = Uint8Array.from(authenticatorData(asked.rpId, isVerified ? 69 : 65, credential));
      const attestation = new Map<string, string | Map<string, never> | Uint8Array>([
        ["fmt", "none"],
        ["attStmt", new Map<string, never>()],
        ["authData", authData],
      ]);
      return JSON.stringify({
        id: text(id),
        rawId: text(id),
        type: "public-key",
        clientExtensionResults: {},
        response: {
          clientDataJSON: text(clientData("webauthn.create", asked)),
          attestationObject: text(isoCBOR.encode(attestation)),
          transports: ["internal"],
        },
      });
    },

    get(asked: CeremonyOptions, { isVerified = true, asId = text(id) } = {}): string {
      const data = clientData("webauthn.get", asked);
      const authData = authenticatorData(asked.rpId, isVerified ? 5 : 1);
      const signature = createSign("sha256")
        .update(Buffer.concat([authData, sha256(data)]))
        .sign(privateKey);
      return JSON.stringify({
        id: asId,
        rawId: asId,
        type: "public-key",
        clientExtensionResults: {},
        response: { clientDataJSON: text(data), authenticatorData: text(authData), signature: text(signature) },
      });
    },

    /** Resets the counter, as in a copy of the passkey that was used less. */
    goBack() {
      counter = 0;
    },
  };
}
