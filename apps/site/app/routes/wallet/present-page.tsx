import { designWords } from "@farthing/core/gift-cards/presents-rules.ts";
import { findPresent, type PresentRow } from "@farthing/core/gift-cards/present-row.server.ts";
import { openPresent, viewPresent, type PresentView } from "@farthing/core/gift-cards/presents.server.ts";
import { TROUBLE_ADVICE } from "@farthing/core/gift-cards/retailer-trouble.ts";
import { formatPence } from "@farthing/core/money/money.ts";
import { hashSecretToken, newSecretToken } from "@farthing/core/secrets/secret-token.ts";
import { data, href, type RouterContextProvider, useRouteLoaderData } from "react-router";
import type { RootData } from "../../root-data.ts";
import { answerHeadersContext, servicesContext, visitContext } from "../../site-context.ts";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";
import { PageHead } from "../../ui/page-head/page-head.tsx";
import { Notice } from "../../ui/text/notice.tsx";
import { soonAt } from "../../ui/text/british-dates.ts";
import type { Route } from "./+types/present-page";
import { CardCode } from "./card-code.tsx";
import { shownCard } from "./shown-card.server.ts";
import stylesheet from "./wallet.css?url";

export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

/**
 * A present, for whoever has its mail (G6). Looking opens nothing, because mail scanners follow links: the button does. The
 * answer to it has the code, also in a browser that keeps no cookies.
 */
export async function loader({ context, params: { token }, request }: Route.LoaderArgs) {
  const { db, giftCards } = context.get(servicesContext);
  const asked = await askedBy(context, token, request);
  return answer(context, await viewPresent(db, { ...asked, keys: giftCards.keys }));
}

export async function action({ context, params: { token }, request }: Route.ActionArgs) {
  const { db, now, giftCards } = context.get(servicesContext);
  const asked = await askedBy(context, token, request);
  const opener = asked.opener ?? newSecretToken();
  const view = await openPresent(db, { ...asked, opener, keys: giftCards.keys, now: now() });
  if (view.outcome === "shown")
    context.get(answerHeadersContext).append("Set-Cookie", giftCards.presentCookie(view.present.publicId).set(opener));
  return answer(context, view);
}

async function askedBy(context: Readonly<RouterContextProvider>, token: string, request: Request) {
  const { db, giftCards } = context.get(servicesContext);
  const brandId = context.get(visitContext).brand.id;
  const known = await findPresent(db, { tokenHash: hashSecretToken(token), brandId });
  const opener = known && giftCards.presentCookie(known.publicId).openerIn(request.headers.get("Cookie"));
  return { brandId, token, opener };
}

/** What the page says, without ids and addresses. */
function answer(context: Readonly<RouterContextProvider>, view: PresentView) {
  const now = context.get(servicesContext).now();
  switch (view.outcome) {
    case "closed":
      return data({ outcome: "closed" as const, present: wordsOf(view.present) });
    case "shown":
      return data({
        outcome: "shown" as const,
        present: wordsOf(view.present),
        card: shownCard(view.card, view.present),
      });
    case "opened-elsewhere":
      return data({ outcome: "opened" as const, at: soonAt(view.openedAt, now) });
    case "taken-back":
    case "card-gone":
    case "not-now":
      return data({ outcome: view.outcome });
    case "unknown":
      return data({ outcome: "unknown" as const }, 404);
  }
}

function wordsOf({ giverName, recipientName, message, design, card, facePence, trouble }: PresentRow) {
  const greeting = designWords[design].greeting;
  return { giverName, recipientName, message, greeting, card: `${card}, ${formatPence(facePence)}`, design, trouble };
}

export default function PresentPage({ loaderData, actionData, params: { token } }: Route.ComponentProps) {
  const { brand } = useRouteLoaderData("root") as RootData;
  const view = actionData ?? loaderData;
  if (view.outcome === "closed" || view.outcome === "shown") {
    const { giverName, recipientName, message, greeting, card, design, trouble } = view.present;
    const title = recipientName ? `${greeting}, ${recipientName}` : greeting;
    return (
      <div className="wrap page present-page">
        <PageHead title={`A present from ${giverName}`} isPrivate />
        <div className={`present-card no-print is-${design}`}>
          <p className="label">A present from {giverName}</p>
          <h1 className="display page-title">{title}</h1>
          {message && <p className="wallet-terms-text">{message}</p>}
          <p className="display present-value">{card}</p>
        </div>
        {trouble && (
          <Notice tone="bad" title="Use this card now">
            <p>
              {trouble} {TROUBLE_ADVICE} If it is refused, keep it and write to us.
            </p>
          </Notice>
        )}
        {view.outcome === "closed" ? (
          <form method="post" action={href("/gift/:token", { token })}>
            <LoadingButton className="is-large">Open the present</LoadingButton>
            <p className="soft">
              It opens once. After that it can be seen on this device only, so open it where you want to keep it.
            </p>
          </form>
        ) : (
          <>
            <CardCode card={view.card} />
            <p className="soft no-print">
              Only this browser shows it again, under the link in your mail. Print the page or write the code down, in
              case you lose the device or remove its cookies.
            </p>
          </>
        )}
        <p className="soft no-print">
          The card was bought at {brand.name}. If it does not work, write to{" "}
          <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a>.
        </p>
      </div>
    );
  }
  const [title, text] =
    view.outcome === "opened"
      ? [
          "This present is open already",
          `It was opened at ${view.at}, and is shown by the browser that opened it only. If it was you, open the link there. If it was not, tell who gave it to you.`,
        ]
      : over[view.outcome];
  return (
    <div className="wrap page present-page">
      <PageHead title={title} isPrivate />
      <h1 className="display page-title">{title}</h1>
      <p>{text}</p>
      <p>
        Questions? Write to <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a>.
      </p>
    </div>
  );
}

const over = {
  "taken-back": ["The present was taken back", "Who gave it to you has taken it back before it was opened."],
  "card-gone": [
    "The present is not there any more",
    "Its card was cancelled, so it can’t be used. Ask who gave it to you.",
  ],
  "not-now": [
    "The present can’t be opened now",
    "There is a question about the card. Please try again in a day, or ask who gave it to you.",
  ],
  unknown: [
    "This link is not valid",
    "The present may have been sent again with a new link. Look for the newest mail, or ask who gave it to you.",
  ],
} as const;
