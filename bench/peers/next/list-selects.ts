/** The filters and sort orders of listings. */
export const selects = [
  {
    name: "rate",
    label: "Shops paying",
    choices: [
      ["", "Any rate"],
      ["2", "2% or more"],
      ["5", "5% or more"],
      ["10", "10% or more"],
    ],
  },
  {
    name: "sort",
    label: "Sort by",
    choices: [
      ["", "Most popular"],
      ["newest", "Newest"],
      ["ending", "Ending soonest"],
    ],
  },
] as const;
