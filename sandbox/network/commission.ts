import type { CommissionGroup } from "../catalogue/catalogue.ts";

/** The part of a sale in one commission group. */
export interface SoldPart {
  groupId: number;
  groupCode: string;
  groupName: string;
  salePence: number;
  commissionPence: number;
}

/** The group of an advertiser without groups: 5 %, so that an incomplete catalogue still pays commission. */
const standIn: CommissionGroup = {
  groupId: 1,
  groupCode: "DEFAULT",
  groupName: "Default Commission",
  type: "percentage",
  percentage: 5,
};

/** Returns the group for products without a group: the one with the code DEFAULT, otherwise the first. */
export function defaultGroup(groups: readonly CommissionGroup[] | undefined): CommissionGroup {
  return groups?.find((group) => group.groupCode === "DEFAULT") ?? groups?.[0] ?? standIn;
}

/** Returns the commission in pence for one part of a sale: a percentage, rounded half up, or the fixed sum. */
export function commissionFor(group: CommissionGroup, salePence: number): number {
  if (group.type === "fix") return Math.round((group.amount ?? 0) * 100);
  const basisPoints = Math.round((group.percentage ?? 0) * 100);
  return Math.floor((salePence * basisPoints + 5000) / 10_000);
}

/** Sums lines by group and computes each part's commission. */
export function soldParts(
  groups: readonly CommissionGroup[] | undefined,
  lines: readonly { groupId: number; pence: number }[],
): SoldPart[] {
  const byGroup = new Map<number, number>();
  for (const line of lines) byGroup.set(line.groupId, (byGroup.get(line.groupId) ?? 0) + line.pence);
  return [...byGroup].map(([groupId, salePence]) => {
    const group = groups?.find((one) => one.groupId === groupId) ?? defaultGroup(groups);
    return {
      groupId: group.groupId,
      groupCode: group.groupCode,
      groupName: group.groupName,
      salePence,
      commissionPence: commissionFor(group, salePence),
    };
  });
}

/** Returns the same parts for another total, in proportion; the last part gets the remaining pennies. */
export function amendedParts(
  groups: readonly CommissionGroup[] | undefined,
  parts: readonly SoldPart[],
  newSalePence: number,
): SoldPart[] {
  const oldSale = parts.reduce((sum, part) => sum + part.salePence, 0);
  let left = newSalePence;
  const lines = parts.map((part, index) => {
    const pence =
      index === parts.length - 1 ? left : oldSale === 0 ? 0 : Math.floor((newSalePence * part.salePence) / oldSale);
    left -= pence;
    return { groupId: part.groupId, pence };
  });
  return soldParts(groups, lines);
}
