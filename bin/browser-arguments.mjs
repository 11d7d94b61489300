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

/** Arguments of Chromium that make browser tests faster and change nothing that a page sees. */
export const leanArguments = [`--disable-features=${[...PLAYWRIGHT_DISABLES, ...OWN_PAGES].join(",")}`];
