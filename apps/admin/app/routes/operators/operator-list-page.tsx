import { PageHead } from "../../kit/page-head.tsx";

export function loader() {
  return null;
}

export default function OperatorListPage() {
  return <PageHead title="Operators" />;
}
