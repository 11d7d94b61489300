import type { MenuItem } from "@farthing/core/brands/brand.ts";
import type { PartExamples } from "@farthing/ui/examples.ts";
import { MainMenu } from "./main-menu.tsx";
import { MenuPanel } from "./menu-panel.tsx";

const group = (label: string, links: number): MenuItem => ({
  label,
  href: "/categories/shoes-and-bags",
  items: Array.from({ length: links }, (_, index) => ({
    label: `Link ${index + 1}`,
    href: `/retailers/link-${index}`,
  })),
});

const section: MenuItem = {
  label: "Fashion",
  href: "/categories/womens-fashion",
  items: [group("Shoes and bags", 4), group("Jewellery, watches and accessories for every day", 8), group("Sale", 0)],
};

export const examples: PartExamples = {
  "main-menu": [
    {
      name: "Sections with panels",
      note: "From 1024 px a row; below, the sheet that Menu opens.",
      isWholePage: true,
      render: () => (
        <div className="site-header">
          <div className="wrap site-header-bar">
            <button type="button" className="menu-button" popoverTarget="site-menu">
              Menu
            </button>
            <MainMenu
              path="/"
              menu={[
                section,
                { ...section, label: "Home and garden" },
                { label: "Travel", href: "/categories/travel" },
              ]}
            />
          </div>
        </div>
      ),
    },
    {
      name: "Empty",
      isWholePage: true,
      render: () => (
        <div className="site-header">
          <div className="wrap site-header-bar">
            <MainMenu menu={[]} path="/" />
          </div>
        </div>
      ),
    },
  ],
  "menu-panel": [
    {
      name: "Open on a wide window",
      note: "Below 1024 px the panel is a level of the sheet, which is closed here.",
      isWholePage: true,
      render: () => (
        <div className="site-header">
          <nav className="site-menu" aria-label="Example" popover="auto">
            <ul role="list" className="menu-sections">
              <li className="menu-section" data-open>
                <a href={section.href} className="menu-trigger">
                  {section.label}
                </a>
                <MenuPanel id="menu-panel-0" groups={section.items ?? []} path="/" />
              </li>
            </ul>
          </nav>
        </div>
      ),
    },
  ],
};
