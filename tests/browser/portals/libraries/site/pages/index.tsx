import { Link } from "react-router-dom";

const libraries = `
  axios chartjs clsx cmdk date-fns dayjs dnd-kit dompurify embla-carousel emotion floating-ui formik
  framer-motion headlessui i18next ids immer jotai leaflet lodash-es lucide-react marked metadata mobx motion
  mui qs radix-dialog react-helmet-async react-hook-form react-hot-toast react-icons react-intersection-observer
  react-markdown react-query react-select react-spring react-table react-transition-group react-use
  react-virtuoso recharts redux sonner styled-components swiper swr valtio zod zustand
`;

export default function Start() {
  return (
    <>
      <h1>Libraries</h1>
      <ul>
        {libraries
          .trim()
          .split(/\s+/)
          .map((name) => (
            <li key={name}>
              <Link to={`/${name}`}>{name}</Link>
            </li>
          ))}
      </ul>
    </>
  );
}
