/* JDBC: a bigint is a long, a uuid is a java.util.UUID. */

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

public class Orders {
	record Order(long id, UUID ref, String note) {
		static Order of(ResultSet row) throws SQLException {
			return new Order(row.getLong("id"), row.getObject("ref", UUID.class),
				row.getString("note"));
		}
	}

	static List<Order> query(Connection db, String sql, Object... arguments)
			throws SQLException {
		try (PreparedStatement statement = db.prepareStatement(sql)) {
			for (int i = 0; i < arguments.length; i++)
				statement.setObject(i + 1, arguments[i]);
			ResultSet rows = statement.executeQuery();
			List<Order> orders = new ArrayList<>();
			while (rows.next())
				orders.add(Order.of(rows));
			return orders;
		}
	}

	static void expect(boolean holds, String what) {
		if (!holds)
			throw new AssertionError(what);
	}

	/* JDBC_URL says where, the argument is the folder of schema.sql. */
	public static void main(String[] arguments) throws Exception {
		String schema = Files.readString(Path.of(arguments[0], "schema.sql"));
		try (Connection db = DriverManager.getConnection(System.getenv("JDBC_URL"))) {
			try (Statement statement = db.createStatement()) {
				statement.execute("DROP TABLE IF EXISTS orders");
				statement.execute(schema);
			}

			List<Order> made = new ArrayList<>();
			for (String note : List.of("tea", "coffee", "water", "milk", "juice"))
				made.addAll(query(db,
					"INSERT INTO orders (note) VALUES (?) RETURNING *", note));
			expect(made.get(0).ref().version() == 7, "a UUIDv7");

			expect(query(db, "SELECT * FROM orders WHERE id = ?", made.get(1).id())
				.equals(List.of(made.get(1))), "the row by its id");

			/* From the newest on, two a page */
			List<String> notes = new ArrayList<>();
			List<Order> page = query(db,
				"SELECT * FROM orders ORDER BY id DESC LIMIT 2");
			while (!page.isEmpty()) {
				page.forEach(order -> notes.add(order.note()));
				page = query(db, "SELECT * FROM orders WHERE id < ?"
					+ " ORDER BY id DESC LIMIT 2", page.get(page.size() - 1).id());
			}
			expect(notes.equals(List.of("juice", "milk", "water", "coffee", "tea")),
				"pages from the newest on");
		}
	}
}
