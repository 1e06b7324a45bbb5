// Go, pgx 5: a bigint is an int64, a uuid is a string.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"reflect"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

type drink struct {
	ID   int64
	Ref  string
	Note string
}

type guest struct {
	ID   string
	Name string
}

var ctx = context.Background()
var db *pgx.Conn

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func expect(holds bool, what string) {
	if !holds {
		log.Fatal("expected ", what)
	}
}

func query[T any](sql string, arguments ...any) []T {
	rows := must(db.Query(ctx, sql, arguments...))
	return must(pgx.CollectRows(rows, pgx.RowToStructByPos[T]))
}

// Connects by PGHOST, PGDATABASE, ...; the argument is the folder of schema.sql.
func main() {
	db = must(pgx.Connect(ctx, ""))
	defer db.Close(ctx)
	schema := must(os.ReadFile(os.Args[1] + "/schema.sql"))
	must(db.Exec(ctx, string(schema)))

	var made []drink
	for _, note := range []string{"tea", "coffee", "water", "milk", "juice"} {
		row := query[drink](`INSERT INTO flakeid_example.drinks (note)
			VALUES ($1) RETURNING id, ref, note`, note)[0]
		fmt.Println("inserted", row.ID, row.Ref, row.Note)
		made = append(made, row)
	}
	guests := query[guest](`INSERT INTO flakeid_example.guests (name)
		VALUES ($1), ($2) RETURNING id, name`, "Ada", "Grace")
	for _, each := range guests {
		fmt.Println("guest", each.ID, each.Name)
	}

	found := query[drink](`SELECT id, ref, note FROM flakeid_example.drinks
		WHERE id = $1`, made[1].ID)
	fmt.Printf("found %d: %s\n", found[0].ID, found[0].Note)
	expect(reflect.DeepEqual(found, made[1:2]), "the row by its id")

	// By time: from is inclusive, to is exclusive
	from, to := time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	drinks := query[drink](`SELECT id, ref, note FROM flakeid_example.drinks
		WHERE fluid_in_range(id, $1, $2) ORDER BY id`, from, to)
	met := query[guest](`SELECT id, name FROM flakeid_example.guests
		WHERE uuid_v7_in_range(id, $1, $2) ORDER BY id`, from, to)
	fmt.Printf("range: %d drinks, %d guests\n", len(drinks), len(met))
	expect(reflect.DeepEqual(drinks, made), "the drinks of two hours")
	expect(reflect.DeepEqual(met, guests), "the guests of two hours")

	// Pages of two, newest first
	var notes []string
	page := query[drink](`SELECT id, ref, note FROM flakeid_example.drinks
		ORDER BY id DESC LIMIT 2`)
	for len(page) > 0 {
		var names []string
		for _, each := range page {
			names = append(names, each.Note)
		}
		fmt.Println("page:", strings.Join(names, ", "))
		notes = append(notes, names...)
		page = query[drink](`SELECT id, ref, note FROM flakeid_example.drinks
			WHERE id < $1 ORDER BY id DESC LIMIT 2`, page[len(page)-1].ID)
	}
	expect(strings.Join(notes, " ") == "juice milk water coffee tea",
		"pages from the newest on")
}
