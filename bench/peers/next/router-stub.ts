/** Parts that ask the router where they are get the same answer everywhere: Next has its own head and no root loader. */
export const useRouteLoaderData = () => undefined;
export const useLocation = () => ({ pathname: "/", search: "", hash: "", key: "", state: null });
