import { index, route, type RouteConfig } from "@react-router/dev/routes";

/** Every address of the members' site. /go, /art, /webhooks and the health pages are the server's own. */
export default [
  index("routes/home/home-page.tsx"),
  route("search", "routes/search/search-page.tsx"),
  route("retailers", "routes/retailers/retailer-list-page.tsx"),
  route("retailers/:slug", "routes/retailers/retailer-page.tsx"),
  route("offers/:slug", "routes/offers/offer-page.tsx"),
  route("categories/:slug", "routes/categories/category-page.tsx"),
  route("faq/:category?/:question?", "routes/faqs/faq-page.tsx"),
  route("favourites", "routes/favourites/favourites-page.tsx"),
  route("favourites/wanted", "routes/favourites/wanted-page.ts"),
  route("alerts/stop", "routes/favourites/stop-alert-page.tsx"),
  route("banner-closed", "routes/banners/close-banner-page.tsx"),
  route("login", "routes/sessions/login-page.tsx"),
  route("logout", "routes/sessions/logout-page.tsx"),
  route("register", "routes/registration/registration-page.tsx"),
  route("register/details", "routes/registration/details-page.tsx"),
  route("register/draft", "routes/registration/keep-draft.ts"),
  route("register/sent", "routes/registration/sent-page.tsx"),
  route("register", "routes/registration/registration-page.tsx"),
  route("register/details", "routes/registration/details-page.tsx"),
  route("register/draft", "routes/registration/keep-draft.ts"),
  route("register/sent", "routes/registration/sent-page.tsx"),
  route("pay", "routes/frame/pay-page.tsx"),
  route("partners", "routes/partners/partners-page.tsx"),
  route("profile", "routes/profile/profile-page.tsx"),
  route("legal/:page", "routes/legal/legal-page.tsx"),
  // Last: a page of ours for every other address, with the brand's header and a way on.
  route("*", "routes/errors/not-found-page.tsx"),
] satisfies RouteConfig;
