import type { PartExamples } from "@farthing/ui/examples.ts";
import { rateSelect } from "../cards/offer-kinds.ts";
import { LONG_TITLE, retailers } from "../cards/example-catalogue.ts";
import { Crumbs } from "./crumbs.tsx";
import { ListTools } from "./list-tools.tsx";
import { LogoGrid } from "./logo-grid.tsx";
import { Pager } from "./pager.tsx";
import { RetailerList } from "./retailer-list.tsx";

const pathOf = (page: number) => `/examples/lists?page=${page}`;

export const examples: PartExamples = {
  crumbs: [
    {
      name: "Two steps",
      render: () => (
        <Crumbs
          steps={[
            { name: "Shoes and bags", path: "/categories/shoes-and-bags" },
            { name: "Fernhollow Boots", path: "/retailers/fernhollow-boots" },
          ]}
          here={{ name: "15% off", path: "/offers/walking-boots" }}
        />
      ),
    },
    {
      name: "Long names",
      render: () => (
        <Crumbs
          steps={[
            { name: "Holidays, flights, ferries and airport parking", path: "/categories/a" },
            { name: LONG_TITLE, path: "/retailers/b" },
          ]}
          here={{ name: "Here", path: "/c" }}
        />
      ),
    },
  ],
  "list-tools": [
    {
      name: "Kinds, dropdown and filters",
      render: () => (
        <ListTools
          path="/examples/lists"
          parameters={{ kind: "code", rate: "5" }}
          kinds={{ cashback: 12, code: 3, deal: 240, in_store: 1, gift_card: 0, app_exclusive: 2 }}
          selects={[rateSelect]}
          active={[
            { name: "kind", words: "Codes" },
            { name: "rate", words: "Pays 5% or more" },
          ]}
        />
      ),
    },
    {
      name: "Too many to count",
      render: () => <ListTools path="/examples/lists" parameters={{}} kinds={null} selects={[]} active={[]} />,
    },
    {
      name: "One filter with a long name",
      render: () => (
        <ListTools
          path="/examples/lists"
          parameters={{}}
          selects={[]}
          active={[{ name: "category", words: LONG_TITLE }]}
        />
      ),
    },
  ],
  "logo-grid": [
    { name: "Many", note: "View more shows the rows below.", render: () => <LogoGrid retailers={retailers(30)} /> },
    { name: "Few", note: "All fit: there is no button.", render: () => <LogoGrid retailers={retailers(5)} /> },
  ],
  pager: [
    { name: "First page", render: () => <Pager page={1} pageCount={3} pathOf={pathOf} /> },
    { name: "Between", render: () => <Pager page={40} pageCount={417} pathOf={pathOf} /> },
    { name: "Last page", render: () => <Pager page={3} pageCount={3} pathOf={pathOf} /> },
    { name: "Only page", note: "Draws nothing.", render: () => <Pager page={1} pageCount={1} pathOf={pathOf} /> },
  ],
  "retailer-list": [
    { name: "Many", render: () => <RetailerList retailers={retailers(9)} /> },
    { name: "One", render: () => <RetailerList retailers={retailers(1)} /> },
  ],
};
