import type { OfferData } from "./offer-data.ts";

export const QR_LABEL = "QR code that opens our app on your phone";

/** Both stores, for people who read this on a device other than their phone. */
export function StoreLinks({ app: { storeLinks } }: { app: NonNullable<OfferData["app"]> }) {
  return (
    <ul className="store-links" role="list">
      {storeLinks.ios && (
        <li>
          <a href={storeLinks.ios}>App Store, for iPhone</a>
        </li>
      )}
      {storeLinks.android && (
        <li>
          <a href={storeLinks.android}>Google Play, for Android</a>
        </li>
      )}
    </ul>
  );
}
