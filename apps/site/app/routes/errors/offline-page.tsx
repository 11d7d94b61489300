import { EmptyState } from "../../ui/text/empty-state.tsx";
import { PageHead } from "../../ui/page-head/page-head.tsx";

/**
 * The service worker shows this page in place of one that cannot be loaded. It has no script, because it stands at
 * any address.
 */
export default function OfflinePage() {
  return (
    <div className="wrap page">
      <PageHead title="No connection" isPrivate />
      <EmptyState title="No connection" isPage>
        <p>This page needs one, and your device has none at the moment. Your digital ID works without.</p>
        <p className="button-row">
          {/* oxlint-disable-next-line jsx-a11y/anchor-is-valid -- the empty address is the one that was asked for */}
          <a className="button" href="">
            Try again
          </a>
          <a className="button is-quiet" href="/digital-id">
            Show my digital ID
          </a>
        </p>
      </EmptyState>
    </div>
  );
}
