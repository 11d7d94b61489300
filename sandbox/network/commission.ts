import type { CommissionGroup } from "../catalogue/catalogue.ts";

/** What was sold, by commission group. */
export interface SoldPart {
  groupId: number;
  groupCode: string;
  groupName: string;
  salePence: number;
  commissionPence: number;
}

/** Where an advertiser has no groups: 5 %, so that a half-filled catalogue still pays something. */
const standIn: CommissionGroup = {
  groupId: 1,
  groupCode: "DEFAULT",
  groupName: "Default Commission",
  type: "percentage",
  percentage: 5,
};

/** The group that takes what no other group claims: the one with code DEFAULT, else the first. */
export function defaultGroup(groups: readonly CommissionGroup[] | undefined): CommissionGroup {
  return groups?.find((group) => group.groupCode === "DEFAULT") ?? groups?.[0] ?? standIn;
}

/** Commission in pence for one part of a sale: a percentage of it, half pennies up, or the fixed sum. */
export function commissionFor(group: CommissionGroup, salePence: number): number {
  if (group.type === "fix") return Math.round((group.amount ?? 0) * 100);
  const basisPoints = Math.round((group.percentage ?? 0) * 100);
  return Math.floor((salePence * basisPoints + 5000) / 10_000);
}

/** Sums lines by group and works out each part's commission. */
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

/** The same parts for another total, shared out in proportion; the last part takes the odd pennies. */
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
