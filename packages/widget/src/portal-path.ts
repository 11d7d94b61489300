/** The page of the service that the portal shows. Pages below it show one card, an order and so on. */
export const PORTAL_PATH = "/portal";
