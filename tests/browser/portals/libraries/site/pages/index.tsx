import { Link } from "react-router-dom";

const libraries = `
  ai-sdk antd apollo auto-animate axios chakra chartjs clsx cmdk codemirror d3 date-fns day-picker dayjs decimal
  dexie dnd-kit dompurify downshift embla-carousel emotion error-boundary floating-ui formik framer-motion fuse
  gsap headlessui hotkeys i18next ids immer input-otp jotai js-cookie katex ky leaflet lexical lodash-es
  lucide-react luxon mantine marked metadata mobx moment motion mui nanostores number-format pangea-dnd
  papaparse qrcode qs radix-dialog ramda react-aria react-bootstrap react-datepicker react-dropzone
  react-helmet-async react-hook-form react-hot-toast react-icons react-intersection-observer react-intl
  react-markdown react-query react-select react-spring react-table react-transition-group react-use
  react-virtuoso react-window recharts redux resizable-panels rxjs sonner styled-components supabase swiper swr
  tanstack-form tanstack-virtual temporal tiptap urql usehooks-ts valibot valtio vaul xstate xyflow zod zustand
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
