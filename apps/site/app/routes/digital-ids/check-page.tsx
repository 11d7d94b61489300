import { checkCode } from "@farthing/core/digital-ids/check-code.server.ts";
import { REQUIRED_MESSAGE } from "@farthing/core/forms/rules.ts";
import { CheckedForm } from "@farthing/ui/forms/checked-form.tsx";
import { TextField } from "@farthing/ui/forms/text-field.tsx";
import { slowDown } from "../../slow-down.ts";
import { readParameters } from "../../../server/page-parameters.ts";
import { servicesContext, visitContext } from "../../site-context.ts";
import { clockTime, longDate } from "../../ui/text/british-dates.ts";
import { PageHead } from "../../ui/page-head/page-head.tsx";
import { waitInWords } from "../sign-in/wait-in-words.ts";
import type { Route } from "./+types/check-page";
import stylesheet from "./check-page.css?url";

/**
 * The page on which a till checks a digital ID (M6). It shows whether the ID is valid, the brand and the time, and
 * nothing else. It has no script.
 */
export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

export async function loader({ context, request }: Route.LoaderArgs) {
  const { brand, clientAddress } = context.get(visitContext);
  const { db, digitalIdKey: key, now: clock } = context.get(servicesContext);
  const { c: code } = readParameters(request, "/check");
  const now = clock();
  const isAsked = code !== null && code.trim() !== "";
  const checked = isAsked
    ? await checkCode(db, { brandId: brand.id, code, address: clientAddress ?? "unknown", key, now })
    : null;
  const shown = {
    brandName: brand.name,
    checked,
    isBlank: code !== null && !isAsked,
    at: `${clockTime(now)}, ${longDate(now)}`,
  };
  return checked?.outcome === "slow-down" ? slowDown(context, shown, checked.seconds) : shown;
}

export default function CheckPage({ loaderData: { brandName, checked, isBlank, at } }: Route.ComponentProps) {
  const label = checked ? "Check another code" : "Code";
  return (
    <div className="check wrap">
      <PageHead title="Check a digital ID" isPrivate />
      <p className={brandName.length > 22 ? "wordmark is-long" : "wordmark"}>{brandName}</p>
      {checked?.outcome === "slow-down" ? (
        <div className="check-answer is-waiting">
          <h1 className="display">A little slower, please</h1>
          <p>
            Many codes that were not valid came from your connection. Wait {waitInWords(checked.seconds)}, then check
            again.
          </p>
        </div>
      ) : checked ? (
        <Answer isValid={checked.outcome === "valid"} at={at} />
      ) : (
        <div className="check-ask">
          <h1 className="display page-title">Check a digital ID</h1>
          <p>Scan the code on the member’s screen with your camera, or type the twelve characters below it.</p>
        </div>
      )}
      <CheckedForm
        action="/check"
        method="get"
        errors={isBlank ? { c: REQUIRED_MESSAGE } : undefined}
        labels={{ c: label }}
        className="check-form"
      >
        <TextField
          name="c"
          label={label}
          autoComplete="off"
          autoCapitalize="characters"
          required
          maxLength={40}
          help="Like K7Q2-9MXA-4TBD. Small letters do, and dashes can be left out."
        />
        <button type="submit" className="button is-large is-wide">
          Check
        </button>
      </CheckedForm>
    </div>
  );
}

function Answer({ isValid, at }: { isValid: boolean; at: string }) {
  return (
    <div className={isValid ? "check-answer is-valid" : "check-answer is-not-valid"}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={isValid ? "m5 13 5 5 9-12" : "M6 6l12 12M18 6 6 18"} />
      </svg>
      <h1 className="display">{isValid ? "Valid" : "Not valid"}</h1>
      <p className="figures">Checked at {at}</p>
    </div>
  );
}
