/* JDBC: a bigint is a long, a uuid is a java.util.UUID. */

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

public class Drinks {
	record Drink(long id, UUID ref, String note) {
		static Drink of(ResultSet row) throws SQLException {
			return new Drink(row.getLong("id"), row.getObject("ref", UUID.class),
				row.getString("note"));
		}
	}

	record Guest(UUID id, String name) {
		static Guest of(ResultSet row) throws SQLException {
			return new Guest(row.getObject("id", UUID.class), row.getString("name"));
		}
	}

	interface Reader<T> {
		T of(ResultSet row) throws SQLException;
	}

	static <T> List<T> query(Connection db, Reader<T> reader, String sql,
			Object... arguments) throws SQLException {
		try (PreparedStatement statement = db.prepareStatement(sql)) {
			for (int i = 0; i < arguments.length; i++)
				statement.setObject(i + 1, arguments[i]);
			ResultSet rows = statement.executeQuery();
			List<T> found = new ArrayList<>();
			while (rows.next())
				found.add(reader.of(rows));
			return found;
		}
	}

	static void expect(boolean holds, String what) {
		if (!holds)
			throw new AssertionError(what);
	}

	/* Connects by JDBC_URL; the argument is the folder of schema.sql. */
	public static void main(String[] arguments) throws Exception {
		String schema = Files.readString(Path.of(arguments[0], "schema.sql"));
		try (Connection db = DriverManager.getConnection(System.getenv("JDBC_URL"))) {
			try (Statement statement = db.createStatement()) {
				statement.execute(schema);
			}

			List<Drink> made = new ArrayList<>();
			for (String note : List.of("tea", "coffee", "water", "milk", "juice")) {
				Drink drink = query(db, Drink::of, "INSERT INTO flakeid_example.drinks (note)"
					+ " VALUES (?) RETURNING *", note).get(0);
				System.out.printf("inserted %d %s %s%n", drink.id(), drink.ref(),
					drink.note());
				made.add(drink);
			}
			expect(made.get(0).ref().version() == 7, "a UUIDv7");
			List<Guest> guests = query(db, Guest::of,
				"INSERT INTO flakeid_example.guests (name) VALUES (?), (?)"
				+ " RETURNING *", "Ada", "Grace");
			for (Guest guest : guests)
				System.out.printf("guest %s %s%n", guest.id(), guest.name());

			List<Drink> found = query(db, Drink::of,
				"SELECT * FROM flakeid_example.drinks WHERE id = ?", made.get(1).id());
			System.out.printf("found %d: %s%n", found.get(0).id(), found.get(0).note());
			expect(found.equals(List.of(made.get(1))), "the row by its id");

			/* By time: from is inclusive, to is exclusive */
			OffsetDateTime from = OffsetDateTime.now().minusHours(1);
			OffsetDateTime to = OffsetDateTime.now().plusHours(1);
			List<Drink> drinks = query(db, Drink::of,
				"SELECT * FROM flakeid_example.drinks"
				+ " WHERE fluid_in_range(id, ?, ?) ORDER BY id", from, to);
			List<Guest> met = query(db, Guest::of,
				"SELECT * FROM flakeid_example.guests"
				+ " WHERE uuid_v7_in_range(id, ?, ?) ORDER BY id", from, to);
			System.out.printf("range: %d drinks, %d guests%n", drinks.size(),
				met.size());
			expect(drinks.equals(made), "the drinks of two hours");
			expect(met.equals(guests), "the guests of two hours");

			/* Pages of two, newest first */
			List<String> notes = new ArrayList<>();
			List<Drink> page = query(db, Drink::of,
				"SELECT * FROM flakeid_example.drinks ORDER BY id DESC LIMIT 2");
			while (!page.isEmpty()) {
				List<String> names = page.stream().map(Drink::note).toList();
				System.out.println("page: " + String.join(", ", names));
				notes.addAll(names);
				page = query(db, Drink::of,
					"SELECT * FROM flakeid_example.drinks WHERE id < ?"
					+ " ORDER BY id DESC LIMIT 2", page.get(page.size() - 1).id());
			}
			expect(notes.equals(List.of("juice", "milk", "water", "coffee", "tea")),
				"pages from the newest on");
		}
	}
}
