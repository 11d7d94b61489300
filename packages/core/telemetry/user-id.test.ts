import { describe, expect, test } from "vitest";
import { telemetryUserId } from "./user-id.server.ts";

const [brand, otherBrand] = ["0190b0a0-0000-7000-8000-000000000001", "0190b0a0-0000-7000-8000-000000000002"] as const;
const [member, otherMember] = ["0190b0a0-0000-7000-8000-000000000003", "0190b0a0-0000-7000-8000-000000000004"] as const;

describe("T1 the pseudonym of a member's telemetry", () => {
  test("T1 is 128 bits of the HMAC of brand and member, always the same", () => {
    const id = telemetryUserId("key", brand, member);
    // echo -n "$brand/$member" | openssl dgst -sha256 -hmac key -binary | head -c 16 | basenc --base64url
    expect(id).toBe("lovvGu-SpaqB9Y3_s0VjlQ");
    expect(telemetryUserId("key", brand, member)).toBe(id);
  });

  test("T1 differs by member, by brand and by key, and shows nothing of either id", () => {
    const ids = [
      telemetryUserId("key", brand, member),
      telemetryUserId("key", brand, otherMember),
      telemetryUserId("key", otherBrand, member),
      telemetryUserId("other key", brand, member),
      telemetryUserId("key", member, brand),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{22}$/);
  });
});
