import type { PartExamples } from "@farthing/ui/examples.ts";
import { FavouriteButton } from "./favourite-button.tsx";

export const examples: PartExamples = {
  "favourite-button": [
    { name: "Not a favourite", render: () => <FavouriteButton kind="offer" id="other" name="15% off" /> },
    { name: "Favourite", render: () => <FavouriteButton kind="offer" id="kept" name="20% off" /> },
    {
      name: "Retailer, with words",
      render: () => <FavouriteButton kind="retailer" id="other" name="Fernhollow Boots" hasWords />,
    },
    {
      name: "Retailer that is a favourite, with words",
      render: () => <FavouriteButton kind="retailer" id="kept" name="Kestrel & Sons" hasWords />,
    },
    {
      name: "Rate alert",
      render: () => <FavouriteButton kind="alert" id="other" name="Fernhollow Boots" hasWords />,
    },
    {
      name: "Rate alert that is set",
      render: () => <FavouriteButton kind="alert" id="kept" name="Kestrel & Sons" hasWords />,
    },
  ],
};
