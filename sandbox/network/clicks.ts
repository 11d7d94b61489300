import { randomBytes } from "node:crypto";
import type { State } from "../state/state.ts";
import type { Network } from "./network.ts";

/** A click that the network redirected to an advertiser. */
export interface ClickRow {
  awc: string;
  network: string;
  advertiser_id: number;
  publisher_id: number;
  click_ref: string | null;
  more_click_refs: string;
  campaign: string | null;
  wanted_url: string | null;
  landing_url: string;
  ip: string | null;
  user_agent: string | null;
  referrer: string | null;
  note: string | null;
  clicked_at: number;
}

/** Stores a click with a checksum in Awin's format: advertiser, Unix time, 32 hexadecimal digits. */
export function recordClick(
  network: Network,
  click: Omit<ClickRow, "awc" | "network" | "publisher_id" | "clicked_at">,
): ClickRow {
  const clickedAt = network.now();
  const awc = `${click.advertiser_id}_${Math.floor(clickedAt / 1000)}_${randomBytes(16).toString("hex")}`;
  // The column is a number, as Awin's publishers have; other networks' are checked by their protocol and not stored.
  const publisherId = Number(network.publisherId) || 0;
  network.state.run(
    `insert into clicks (network, awc, advertiser_id, publisher_id, click_ref, more_click_refs, campaign, wanted_url, landing_url, ip,
       user_agent, referrer, note, clicked_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    network.slug,
    awc,
    click.advertiser_id,
    publisherId,
    click.click_ref,
    click.more_click_refs,
    click.campaign,
    click.wanted_url,
    click.landing_url,
    click.ip,
    click.user_agent,
    click.referrer,
    click.note,
    clickedAt,
  );
  return { ...click, awc, network: network.slug, publisher_id: publisherId, clicked_at: clickedAt };
}

/** Returns the click of a checksum, if it was for this advertiser. */
export function findClick(state: State, awc: string, advertiserId: number): ClickRow | undefined {
  return state.one<ClickRow>("select * from clicks where awc = ? and advertiser_id = ?", awc, advertiserId);
}

/** Returns the newest clicks first. */
export function latestClicks(state: State, limit: number): ClickRow[] {
  return state.all<ClickRow>("select * from clicks order by clicked_at desc, rowid desc limit ?", limit);
}
