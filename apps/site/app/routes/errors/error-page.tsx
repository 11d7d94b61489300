import { useRouteLoaderData } from "react-router";
import type { Refusal } from "../../../server/visit.ts";
import type { RootData } from "../../root-data.ts";
import { EmptyState } from "../../ui/text/empty-state.tsx";
import { PageHead } from "../../ui/page-head/page-head.tsx";

const words: Readonly<Record<number, { title: string; text: string }>> = {
  400: {
    title: "That didn’t add up",
    text: "Your browser sent something we can’t read. Go back and try again; if you came by a link, it may have been cut short.",
  },
  404: {
    title: "This page isn’t here",
    text: "The address may have a slip in it, or what was here has moved. Search for the retailer or the offer, or start again from one of these.",
  },
  405: {
    title: "That can’t be done here",
    text: "This address doesn’t take what was sent to it. Go back and try again from the page you came from.",
  },
  410: { title: "This has ended", text: "What was here is over for good. There is plenty more." },
  429: {
    title: "A little slower, please",
    text: "There were too many requests from your connection. Wait a minute, then try again.",
  },
  500: {
    title: "Something broke on our side",
    text: "It isn’t your doing, and nothing you earned is lost. We have been told. Please try again in a minute.",
  },
};

/**
 * Every error as a page: what happened in plain words, and a way on (Z5). The server's own words are used where it
 * has some.
 */
export function ErrorPage({ status, refusal }: { status: number; refusal?: Refusal | null }) {
  const { title, text } = refusal ??
    words[status] ??
    words[status < 500 ? 400 : 500] ?? { title: "Something went wrong", text: "" };
  const root = useRouteLoaderData("root") as RootData | undefined;
  return (
    <div className="wrap page">
      <PageHead title={title} isPrivate />
      <EmptyState title={title} isPage>
        <p>{text}</p>
        <p className="button-row">
          <a className="button" href="/">
            Go to the front page
          </a>
          <a className="button is-quiet" href="/retailers">
            All retailers
          </a>
        </p>
        {root && status >= 500 && (
          <p className="soft">
            Still stuck? Write to <a href={`mailto:${root.brand.supportEmail}`}>{root.brand.supportEmail}</a>.
          </p>
        )}
        <p className="soft error-code">Error {status}</p>
      </EmptyState>
    </div>
  );
}
