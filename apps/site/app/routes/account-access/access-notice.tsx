import type { Standing } from "@farthing/core/account-access/rules.ts";
import { href } from "react-router";
import { Notice } from "../../ui/text/notice.tsx";

/** Tells a member on their profile that somebody of the club asks to look at their account, may, or does (A3). */
export function AccessNotice({
  operator,
  publicId,
  standing,
}: {
  operator: string;
  publicId: string;
  standing: Standing;
}) {
  if (standing === "asked")
    return (
      <Notice tone="warn" title={`${operator} asks to look at your account`}>
        <p>
          Without your yes nothing happens.{" "}
          <a href={href("/profile/access/:request", { request: publicId })}>Read why, and say yes or no</a>
        </p>
      </Notice>
    );
  const title =
    standing === "running" ? `${operator} is looking at your account` : `${operator} may look at your account`;
  return (
    <Notice tone="info" title={title}>
      <p>
        You said yes. <a href={href("/profile/access")}>See it, or end it</a>
      </p>
    </Notice>
  );
}
