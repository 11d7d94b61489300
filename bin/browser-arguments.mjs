/** What Playwright switches off itself. Chromium heeds the last --disable-features alone, so ours has to name these again; a test compares them. */
const PLAYWRIGHT_DISABLES = [
  ...["AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"],
  ...[
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
  ],
  ...["AvoidCorsURLLoaderRestartOnRedirect", "TcpPortRandomizationWin", "OptimizationHints"],
  ...["NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch", "msForceBrowserSignIn"],
  "msEdgeUpdateLaunchServicesPreferredVersion",
];

/** Pages of the browser's own that it opens beside every window, for its address bar. They take as much of the processor as the page under test. */
const OWN_PAGES = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"];

/** A process that the browser starts for the next site, before anybody asks for it. */
const SPARE_PROCESS = "SpareRendererForSitePerProcess";

/** Arguments of Chromium that make browser tests faster and change nothing that a page sees. */
export const leanArguments = [`--disable-features=${[...PLAYWRIGHT_DISABLES, ...OWN_PAGES, SPARE_PROCESS].join(",")}`];

/**
 * More arguments, for pages that live for seconds and whose frames are of their own site: they take a tenth less of the processor. The pages of a
 * site share a process, painting is done in the browser's own, and scripts are not compiled twice for speed.
 */
export const shortLivedPages = ["--renderer-process-limit=1", "--in-process-gpu", "--js-flags=--no-opt --no-maglev"];
