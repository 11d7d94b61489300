import type { PartExamples } from "@farthing/ui/examples.ts";
import { useRouteLoaderData } from "react-router";
import type { RootData } from "../../root-data.ts";
import { menuPages } from "../../routes/members/profile-pages.ts";
import { ActingBanner } from "./acting-banner.tsx";
import { AlertBanner } from "./alert-banner.tsx";
import { NoticeBar } from "./notice-bar.tsx";
import { BackToTop } from "./back-to-top.tsx";
import { FrameBar, FrameFoot } from "./frame-bar.tsx";
import { SiteFooter } from "./site-footer.tsx";
import { SiteHeader } from "./site-header.tsx";
import { Wordmark } from "./wordmark.tsx";

/** The header of the brand at this host, for a visitor or for a member of that name. */
function Header({ memberName, hasSearch = true }: { memberName?: string; hasSearch?: boolean }) {
  const data = useRouteLoaderData<RootData>("root");
  return (
    data && (
      <SiteHeader
        data={{
          ...data,
          member: memberName ? { name: memberName } : null,
          memberPages: memberName ? menuPages({ sellsGiftCards: true, invites: true }) : [],
        }}
        hasSearch={hasSearch}
      />
    )
  );
}

/** What a partner's frame shows in place of header and footer. */
function Frame() {
  const data = useRouteLoaderData<RootData>("root");
  return (
    data && (
      <>
        <FrameBar data={data} hasSearch />
        <FrameFoot data={data} partner="shop.example" />
      </>
    )
  );
}

function Footer({ isBare = false }: { isBare?: boolean }) {
  const data = useRouteLoaderData<RootData>("root");
  const bare = { storeLinks: { ios: null, android: null }, legalPages: [], notices: [], menu: [] };
  return data && <SiteFooter data={isBare ? { ...data, brand: { ...data.brand, ...bare } } : data} />;
}

export const examples: PartExamples = {
  "acting-banner": [
    {
      name: "Minutes left",
      render: () => <ActingBanner operator="Ada Lovelace" member="Rosa Quillfeather" minutesLeft={24} />,
    },
    {
      name: "Last minute, long names",
      render: () => (
        <ActingBanner
          operator="Augusta Ada King, Countess of Lovelace"
          member="Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh"
          minutesLeft={1}
        />
      ),
    },
  ],
  "alert-banner": [
    {
      name: "Text",
      render: () => (
        <AlertBanner
          banner={{ id: "text", text: "Cashback is paid early before Christmas.", href: null }}
          address="/"
        />
      ),
    },
    {
      name: "Long link",
      render: () => (
        <AlertBanner
          banner={{
            id: "link",
            text: "Cashback for purchases made in October and confirmed by 1 December is paid before Christmas: read how to get yours in time",
            href: "/faq",
          }}
          address="/"
        />
      ),
    },
  ],
  "notice-bar": [
    {
      name: "Trouble, today",
      render: () => (
        <NoticeBar
          notice={{
            ...{ id: "trouble", kind: "trouble", title: "Payouts are a day late", text: "" },
            ...{ since: new Date("2026-12-01T09:00:00Z"), until: new Date("2026-12-01T16:00:00Z") },
          }}
          now={new Date("2026-12-01T12:00:00Z")}
        />
      ),
    },
    {
      name: "Planned work, long",
      render: () => (
        <NoticeBar
          notice={{
            ...{ id: "planned", kind: "planned", text: "" },
            title: "We move to new machines: for some minutes you may not be able to log in",
            ...{ since: new Date("2026-12-01T22:00:00Z"), until: new Date("2026-12-02T02:00:00Z") },
          }}
          now={new Date("2026-12-01T23:00:00Z")}
        />
      ),
    },
    {
      name: "Over, without an end",
      render: () => (
        <NoticeBar
          notice={{
            ...{ id: "over", kind: "over", title: "Purchases track again", text: "" },
            ...{ since: new Date("2026-12-01T09:00:00Z"), until: null },
          }}
          now={new Date("2026-12-01T12:00:00Z")}
        />
      ),
    },
  ],
  "back-to-top": [
    {
      name: "Link",
      note: "With script it appears once the page has been scrolled by one height of the screen.",
      render: () => <BackToTop />,
    },
  ],
  "frame-bar": [{ name: "In a partner's frame", isWholePage: true, render: () => <Frame /> }],
  "site-footer": [
    { name: "Brand's own", isWholePage: true, render: () => <Footer /> },
    {
      name: "Without apps, menu and legal pages",
      isWholePage: true,
      render: () => <Footer isBare />,
    },
  ],
  "site-header": [
    { name: "Visitor", isWholePage: true, render: () => <Header /> },
    { name: "Member", isWholePage: true, render: () => <Header memberName="Ada Okafor" /> },
    {
      name: "Long member name, without search",
      isWholePage: true,
      render: () => <Header memberName="Maximiliana Featherstonehaugh-Cholmondeley" hasSearch={false} />,
    },
  ],
  wordmark: [
    { name: "Short", render: () => <Wordmark name="Club" /> },
    {
      name: "Long",
      note: "Names of more than 22 characters are set smaller.",
      render: () => <Wordmark name="The Association of Allotment Holders" />,
    },
  ],
};
