import { readColourFile } from "@farthing/core/brands/own-colours.ts";
import { minutesLeft } from "@farthing/core/account-access/rules.ts";
import { leadingNotice } from "@farthing/core/notices/rules.ts";
import { isAtHome } from "@farthing/core/partners/house-partner.ts";
import { canonicalOrigin } from "@farthing/core/brands/canonical-origin.ts";
import { findFavouriteKeys } from "@farthing/core/favourites/queries.server.ts";
import { findProgramme } from "@farthing/core/invitations/programmes.server.ts";
import { type ReactNode, use } from "react";
import { isRouteErrorResponse, Links, Outlet, useMatches, useRouteError, useRouteLoaderData } from "react-router";
import type { Refusal } from "../server/visit.ts";
import { closedBannerOf } from "../server/closed-banner.ts";
import { consentOf } from "../server/browsers-consent.ts";
import { type OwnPageVariables, pageVariablesOf } from "../server/page-variables.ts";
import { framedStarts, isFramePage, isPortalPath } from "../server/framing.ts";
import { canonicalAddress } from "../server/page-parameters.ts";
import type { Route } from "./+types/root";
import { answerHeaders } from "./answer-headers.server.ts";
import { shownLook } from "./page-look.ts";
import { PageScript, ScriptContext } from "./page-script.tsx";
import { LOAD_FACES, NARROW } from "./phone-faces.ts";
import { lookOf } from "./page-look.server.ts";
import type { RootData } from "./root-data.ts";
import { CarerMigrationPopup } from "./routes/carer-migrations/carer-migration-popup.tsx";
import { offeredMigration } from "../server/offered-migration.ts";
import { menuPages } from "./routes/members/profile-pages.ts";
import { ErrorPage } from "./routes/errors/error-page.tsx";
import { servicesContext, visitContext } from "./site-context.ts";
import accountStylesheet from "./styles/account.css?url";
import siteStylesheet from "./styles/site.css?url";
import { neutralTheme, type Theme, themeNamed } from "./themes/themes.ts";
import { ConsentBanner } from "./ui/consent/consent-banner.tsx";
import { PageVariables } from "./ui/consent/page-variables.tsx";
import { READ_CONSENT } from "./ui/consent/read-consent.ts";
import { ActingBanner } from "./ui/layout/acting-banner.tsx";
import { AlertBanner, KEEP_BANNER_CLOSED } from "./ui/layout/alert-banner.tsx";
import { NoticeBar } from "./ui/layout/notice-bar.tsx";
import { FavouritesContext, FavouritesProvider } from "./ui/favourites/favourites.tsx";
import { FrameBar, FrameFoot } from "./ui/layout/frame-bar.tsx";
import { closedPage } from "./ui/layout/page-state.ts";
import { PageOverlay } from "./ui/overlays/page-overlay.tsx";
import { SiteFooter } from "./ui/layout/site-footer.tsx";
import { SiteHeader } from "./ui/layout/site-header.tsx";

export const middleware: Route.MiddlewareFunction[] = [answerHeaders];

/** The brand's menu has the categories of the catalogue; this page is no category. */
const GIFT_CARDS = { label: "Gift cards", href: "/gift-cards" };

/**
 * Returns what every page knows. Only what is shown leaves the server: no ids, no e-mail address, nothing personal
 * for visitors.
 */
export async function loader({ context, pattern, request }: Route.LoaderArgs): Promise<RootData> {
  const visit = context.get(visitContext);
  const { brand, member, anyMember, origin, widget, acting } = visit;
  const { db, now, telemetry } = context.get(servicesContext);
  const { pathname, search } = new URL(request.url);
  const address = canonicalAddress(pathname + search);
  const path = address.split("?", 1)[0] ?? address;
  const { name, strapline, audience, theme, colourFile, supportEmail, storeLinks, legalPages } = brand;
  const menu = brand.features.giftCards ? [...brand.menu, GIFT_CARDS] : brand.menu;
  const page = lookOf(pattern);
  const isForMember = Boolean(member ?? anyMember);
  const [favourites, programme] = await Promise.all([
    anyMember ? [] : member && findFavouriteKeys(db, { memberId: member.id }),
    isForMember ? findProgramme(db, { brandId: brand.id, now: now() }) : null,
  ]);
  const memberPages = isForMember
    ? menuPages({ sellsGiftCards: brand.features.giftCards, invites: programme !== null })
    : [];
  // Nothing is measured in a partner's frame, on pages without the site's header and footer, or of an operator.
  const isMeasured = !widget && !page.isLean && !acting;
  const { asked, choice, hasSignal } = consentOf({ brand, headers: request.headers, origin, now: now() });
  const isBannerClosed = brand.banner?.id === closedBannerOf(request.headers.get("cookie"));
  const banner = isBannerClosed ? null : brand.banner;
  return {
    page,
    brand: { name, strapline, audience, theme, colourFile, supportEmail, menu, banner, storeLinks, legalPages },
    member: anyMember ?? (member && { name: member.name }),
    memberPages,
    acting: acting ? { operator: acting.operator.name, minutesLeft: minutesLeft(acting.endsAt, now()) } : null,
    favourites,
    // What a member is asked is theirs to answer.
    carerMigration: acting ? null : await offeredMigration({ db, now }, { brand, member }, path),
    consent: isMeasured ? { asked, isAnswered: choice !== null || hasSignal } : null,
    pageVariables: isMeasured && telemetry && asked.length > 0 ? pageVariablesOf(telemetry, visit) : null,
    // A page that is made for frames has its own connection to the page around it.
    frame: widget && !isFramePage(path) ? { hostOrigin: widget.origin, partner: widget.partner.name } : null,
    portal: widget && isPortalPath(path) ? { hostOrigin: widget.origin, isAtHome: isAtHome(widget) } : null,
    path,
    address: withoutToken(address),
    origin: canonicalOrigin(brand, origin),
    now: now(),
    notice: leadingNotice(brand.notices, now()),
  };
}

/** Returns the address for forms that come back to the page, without a reveal's token (Y5). */
function withoutToken(address: string): string {
  const [path = address, search = ""] = address.split("?", 2);
  const query = new URLSearchParams(search);
  query.delete("reveal_code");
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

export function Layout({ children }: { children: ReactNode }) {
  const data = useRouteLoaderData<typeof loader>("root");
  const error = useRouteError();
  const page = shownLook(data?.page, error);
  const frame = data?.frame;
  const portal = data?.portal;
  const matches = useMatches();
  const { nonce } = use(ScriptContext);
  const isNeutral = portal?.isAtHome === false;
  const theme = isNeutral ? neutralTheme : themeNamed(data?.brand.theme ?? "");
  const colourFile = isNeutral ? null : data?.brand.colourFile;
  const barColours = barColoursOf(theme, colourFile);
  const isLean = page.isLean || Boolean(portal);
  const refreshSeconds = refreshOf(matches);
  const carerMigration = isLean || frame ? null : data?.carerMigration;
  // One thing to answer or close at a time: the move, then consent, then the announcement (alert-banner.css). What
  // operators say of the running of the site is part of the page.
  const banner = isLean || frame || carerMigration ? null : data?.brand.banner;
  const consent = isLean || frame || !data?.consent?.asked.length ? null : data.consent;
  // One question at a time: that of the move comes first, and nothing is measured before the other is answered.
  const asksConsent = consent && !consent.isAnswered && !carerMigration && page.controller !== "consent";
  const variables = isLean || frame ? null : data?.pageVariables;
  return (
    <html
      lang="en-GB"
      data-banner={banner?.id}
      data-faces={theme.faces ?? undefined}
      // Absent where it is not known, on an error page, and for an operator: this browser keeps nothing of the member's.
      data-visit={data && !data.acting ? (data.member ? "member" : "visitor") : undefined}
      data-consent-asks={consent?.asked.join(" ")}
      {...(frame && frameMarks(frame.hostOrigin, error))}
      data-portal-host={portal?.hostOrigin}
      {...closedPage}
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content={barColours.light} media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content={barColours.dark} media="(prefers-color-scheme: dark)" />
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        <link rel="icon" href="/brand/icon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        {theme.preloadedFonts.map((font) => (
          <link
            key={font}
            rel="preload"
            href={font}
            as="font"
            type="font/woff2"
            crossOrigin="anonymous"
            // On a phone's connection fonts would delay the styles: there they load after the first paint (LOAD_FACES). Until they arrive, the text is set
            // in a fallback of the same metrics.
            media="(width >= 768px)"
          />
        ))}
        <link rel="stylesheet" href={siteStylesheet} />
        {page.hasAccountStyles && <link rel="stylesheet" href={accountStylesheet} />}
        <link rel="stylesheet" href={theme.stylesheet} />
        {colourFile && <link rel="stylesheet" href={`/brand/${colourFile}`} />}
        {theme.faces && !page.isStill && <script nonce={nonce} dangerouslySetInnerHTML={{ __html: LOAD_FACES }} />}
        {theme.faces && page.isStill && <link rel="stylesheet" href={theme.faces} media={NARROW} />}
        {theme.faces && !page.isStill && (
          <noscript>
            <link rel="stylesheet" href={theme.faces} media={NARROW} />
          </noscript>
        )}
        {banner && <script nonce={nonce} dangerouslySetInnerHTML={{ __html: KEEP_BANNER_CLOSED }} />}
        {consent && <script nonce={nonce} dangerouslySetInnerHTML={{ __html: READ_CONSENT }} />}
        <Links />
        {refreshSeconds !== null && (
          <noscript>
            <meta httpEquiv="refresh" content={String(refreshSeconds)} />
          </noscript>
        )}
      </head>
      <body
        className={frame ? "is-framed" : isLean ? "is-lean" : undefined}
        data-controller={page.controller}
        data-action={page.action}
      >
        {!isLean && (
          <a href="#main" className="skip-link">
            Skip to content
          </a>
        )}
        {data?.acting && data.member && <ActingBanner {...data.acting} member={data.member.name} />}
        {data?.notice && !isLean && !frame && <NoticeBar notice={data.notice} now={data.now} />}
        {data && asksConsent && <ConsentBanner asked={consent.asked} address={data.address} />}
        {data && banner && <AlertBanner banner={banner} address={data.address} />}
        {data && !isLean && (
          <>
            {frame ? (
              <FrameBar data={data} hasSearch={!page.bringsSearch} />
            ) : (
              <SiteHeader data={data} hasSearch={!page.bringsSearch} />
            )}
            <PageOverlay />
          </>
        )}
        {data && carerMigration && <CarerMigrationPopup offered={carerMigration} next={data.path} />}
        <main id="main" tabIndex={-1}>
          {children}
        </main>
        {data && !isLean && (frame ? <FrameFoot data={data} partner={frame.partner} /> : <SiteFooter data={data} />)}
        {variables && <PageVariables variables={{ ...variables, ...ownVariablesOf(matches) }} />}
        {!page.isStill && <PageScript />}
      </body>
    </html>
  );
}

/** Returns the colours of the browser's own bar: the header's, which a brand may have chosen itself. */
function barColoursOf({ barColours }: Theme, colourFile: string | null | undefined): Theme["barColours"] {
  const header = colourFile && readColourFile(colourFile)?.own.header?.ground;
  return header ? { light: header, dark: header } : barColours;
}

/** Returns how often the page asks for itself again without script, in seconds: its loader's `refreshSeconds`. */
function refreshOf(matches: ReturnType<typeof useMatches>): number | null {
  const { refreshSeconds } = (matches.at(-1)?.loaderData ?? {}) as { refreshSeconds?: unknown };
  return typeof refreshSeconds === "number" ? refreshSeconds : null;
}

/** Returns the page variables that the page's loader adds. */
function ownVariablesOf(matches: ReturnType<typeof useMatches>): OwnPageVariables {
  const { pageVariables = {} } = (matches.at(-1)?.loaderData ?? {}) as { pageVariables?: OwnPageVariables };
  return pageVariables;
}

/** What the script of a page in a partner's frame needs (routes/partners/start-frame-page.ts). */
function frameMarks(hostOrigin: string, error: unknown) {
  const isError = error !== undefined && error !== null;
  return {
    "data-frame-host": hostOrigin,
    "data-frame-starts": `/${framedStarts.join("/")}`,
    "data-frame-problem": isError ? (isRouteErrorResponse(error) ? error.status : 500) : undefined,
  };
}

export default function Site({ loaderData: { page, favourites, address, frame } }: Route.ComponentProps) {
  if (page.isLean) return <Outlet />;
  // Nobody signs in inside another site, so there is nothing to keep favourites by.
  if (frame)
    return (
      <FavouritesContext value={null}>
        <Outlet />
      </FavouritesContext>
    );
  return (
    <FavouritesProvider kept={favourites} address={address}>
      <Outlet />
    </FavouritesProvider>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (!isRouteErrorResponse(error)) return <ErrorPage status={500} />;
  // Our own responses carry a refusal or nothing. The router's carry a text for developers.
  return <ErrorPage status={error.status} refusal={typeof error.data === "object" ? (error.data as Refusal) : null} />;
}
