import { configureStore, createAsyncThunk, createSlice, type PayloadAction } from "@reduxjs/toolkit";
import { Provider, useDispatch, useSelector } from "react-redux";

const load = createAsyncThunk("stock/load", () => Promise.resolve(40));

const stock = createSlice({
  name: "stock",
  initialState: { boxes: 2 },
  reducers: {
    added(state, { payload }: PayloadAction<number>) {
      state.boxes += payload;
    },
  },
  extraReducers: (builder) => {
    builder.addCase(load.fulfilled, (state, { payload }) => {
      state.boxes = payload;
    });
  },
});

const store = configureStore({ reducer: { stock: stock.reducer } });

function Boxes() {
  const boxes = useSelector((state: ReturnType<typeof store.getState>) => state.stock.boxes);
  const dispatch = useDispatch<typeof store.dispatch>();
  return (
    <>
      <p data-testid="boxes">{boxes}</p>
      <button onClick={() => dispatch(stock.actions.added(3))}>Add</button>
      <button onClick={() => void dispatch(load())}>Load</button>
    </>
  );
}

export default function Redux() {
  return (
    <Provider store={store}>
      <h1>Redux Toolkit</h1>
      <Boxes />
    </Provider>
  );
}
