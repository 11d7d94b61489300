import { useRouteLoaderData } from "react-router";
import type { RootData } from "../../root-data.ts";
import { PageHead } from "../../ui/page-head/page-head.tsx";
import type { Route } from "./+types/kept-card-page";
import stylesheet from "./digital-id.css?url";
import KeptCard from "./kept-card.island.tsx";

/**
 * The card without a connection. Service workers store this page, so it contains nothing of a request: the card comes
 * from the device.
 */
export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

export default function KeptCardPage() {
  const { brand } = useRouteLoaderData("root") as RootData;
  return (
    <div className="wrap page kept-card">
      <PageHead title="Digital ID" isPrivate />
      <h1 className="visually-hidden">Digital ID</h1>
      <KeptCard brandName={brand.name} />
    </div>
  );
}
